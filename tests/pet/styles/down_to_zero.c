void down_to_zero(int n, const double *x, double *y)
{
#pragma scop
    while (n--)
        y[n] = x[n] * x[n];
#pragma endscop
}
