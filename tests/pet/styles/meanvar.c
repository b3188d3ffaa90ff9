void meanvar(int n, const double *x, double *mean, double *var)
{
    if (n <= 0)
        return;
    double m = 0, v = 0;
#pragma scop
    for (int i = 0; i < n; i++) m += x[i];
    m /= n;
    for (int i = 0; i < n; i++) v += (x[i] - m) * (x[i] - m);
    v /= n;
#pragma endscop
    *mean = m;
    *var = v;
}
