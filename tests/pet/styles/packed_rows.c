void packed_rows(int n, int m, const double *a, double *flat)
{
    int k = 0;
#pragma scop
    for (int i = 0; i < n; i++)
        for (int j = 0; j < m; j++)
            flat[k++] = 2 * a[i * m + j] * a[i * m + j];
#pragma endscop
}
