#pragma polyad noalias a
void row_walk(int n, int m, double **a, double *y)
{
    for (int i = 0; i < n; i++) {
        double *row = a[i];
        double s = 0;
        for (int j = 0; j < m; j++) s += *row++;
        y[i] = s;
    }
}
