void masks(int n, const int *p, const double *x, double *y)
{
#pragma scop
    for (int i = 0; i < n; i++) {
        y[i] = x[i] * (1 << 3) + (p[i] & 3) * x[i] + (p[i] >> 1) * x[i] * x[i];
        if ((i > 1) & (i < 5))
            y[i] += x[i >> 1];
    }
#pragma endscop
}
