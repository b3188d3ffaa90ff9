void pairs(int n, const double *x, double *sum, double *prod)
{
    int a = 0, b = n;
#pragma scop
    while (a < n)
        *sum += x[a++] * x[--b];
    for (int i = 0, k = 1; i < n; ++i, k += 2)
        *prod += k * x[i] * x[i];
#pragma endscop
}
