void pair_steps(int n, const double *x, double *y)
{
    const double *p = x;
    for (int i = 0; i < n; i += 2) { y[i] = p[1]; p += 2; }
    int at = 0;
    for (int i = 0; i < n - 2; i++) at++;
    y[0] += x[at];
}
