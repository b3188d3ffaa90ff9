double trapz(const double *x, const double *y, unsigned int n)
{
    double area = 0.0;
#pragma scop
    for (unsigned int i = 1; i < n; i++)
        area += 0.5 * (y[i] + y[i - 1]) * (x[i] - x[i - 1]);
#pragma endscop
    return area;
}
