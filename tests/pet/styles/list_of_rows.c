#pragma polyad noalias rows
void list_of_rows(int n, int m, double *const rows[n], double *mean)
{
    for (int j = 0; j < m; j++) {
        mean[j] = 0.0;
        for (int i = 0; i < n; i++)
            mean[j] += rows[i][j] / n;
    }
    for (int i = 0; i < n; i++) {
        double *row = rows[i];
        for (int j = 0; j < m; j++)
            row[j] -= mean[j];
    }
}
