void inner_pointer(int n, int m, const double a[n][m], double *y)
{
    for (int i = 0; i < n; i++) {
        const double *p = &a[i][1];
        y[i] = 0;
        for (int j = 0; j < m - 1; j++) { y[i] += p[j] * *p; }
    }
}
