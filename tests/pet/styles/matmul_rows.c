#pragma polyad noalias a, b, c
void matmul_rows(double **a, double **b, double **c, int n, int m, int k)
{
    int i, j, l;
    for (i = 0; i < n; i++) {
        for (j = 0; j < m; j++) {
            double sum = 0.0;
            for (l = 0; l < k; l++)
                sum += a[i][l] * b[l][j];
            c[i][j] = sum;
        }
    }
}
