/* Doolittle's elimination, in place, as numerical libraries have it. */
void lu_rows(double **a, int n)
{
#pragma polyad noalias a
    int i, j, k;
    for (k = 0; k < n; k++)
        for (i = k + 1; i < n; i++) {
            a[i][k] /= a[k][k];
            for (j = k + 1; j < n; j++)
                a[i][j] -= a[i][k] * a[k][j];
        }
}
