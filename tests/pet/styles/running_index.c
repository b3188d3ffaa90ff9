void running_index(int n, int m, const double *x, double *y, double *z)
{
    int k = 0, at;
    for (int i = 0; i < n; i++) {
        for (int j = 0; j < m; j++) {
            y[k] = 2 * x[k];
            k++;
        }
        at = i * m;
        z[i] = x[at] + x[at + m - 1];
    }
}
