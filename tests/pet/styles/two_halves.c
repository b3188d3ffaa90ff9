void two_halves(int n, double *x, const double *y)
{
    double *lo = x, *hi = x + n;
    for (int i = 0; i < n; i++) { lo[i] += y[i] * hi[i]; hi[i] = y[i]; }
}
