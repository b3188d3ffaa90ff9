void copy_on(int n, const double *src, double *dst)
{
    for (int i = 0; i < n; i++)
        *dst++ = 2 * *src++;
}
