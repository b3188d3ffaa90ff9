void counter(int n, const double x[n], double y[n], int where[2], double *last)
{
    static const float beta[2] = { 0.5f, 0.25f };
    static const double alpha = 0.3;
    int i = 0, k;
    double s = 0;
#pragma scop
    while (i < n) {
        s = alpha * x[i] + beta[1] * s;
        y[i] = s * n;
        i++;
    }
    where[0] = i;
    for (k = 0; k < n; k++)
        s += x[k];
    where[1] = k + i;
    *last = s;
#pragma endscop
}
