/* Declarations of several variables, some with values, and a function that is given arrays of its own. */
static void derivs(double x, double y[], double dydx[])
{
    dydx[0] = y[1];
    dydx[1] = -y[0] - 0.1 * x * y[1];
}

void midpoint(double y[], double x, double h, double yout[])
{
    int i, n = 2, twice = 2 * n;
    double half = 0.5 * h, dydx[2], yt[2], rest;
    derivs(x, y, dydx);
    for (i = 0; i < n; i++)
        yt[i] = y[i] + half * dydx[i];
    derivs(x + half, yt, dydx);
    rest = h / twice;
    for (i = 0; i < n; i++)
        yout[i] = y[i] + twice * rest * dydx[i];
}
