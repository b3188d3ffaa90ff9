void offset_pointer(int n, const double *a, double *y)
{
    const double *p;
    for (int i = 0; i < n; i++) {
        p = a + 3 * i + 1;
        y[i] = p[0] * p[1] + p[-1];
    }
}
