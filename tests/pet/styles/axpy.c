void axpy(int n, const double *a, const double *x, double *y)
{
#pragma scop
    for (int i = 0; i < n; i++)
        *(y + i) = *a * *(x + i) + *(y + i);
#pragma endscop
}
