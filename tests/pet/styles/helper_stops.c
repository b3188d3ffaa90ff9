/* A function of the file that counts down, and one that returns from its loop. */
static double power(double x, int k)
{
    double r = 1;
    while (k-- > 0)
        r *= x;
    return r;
}

void helper_stops(int n, const double x[n], double y[n])
{
#pragma scop
    for (int i = 0; i < n; i++)
        y[i] = power(x[i], 3);
#pragma endscop
}
