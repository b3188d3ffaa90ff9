void moved_parameters(int n, int m, const double *x, double *y)
{
    for (int i = 0; i < n; i++) {
        for (int j = 0; j < m; j++)
            y[j] = 2 * x[j] + i;
        x += m;
        y += m;
    }
}
