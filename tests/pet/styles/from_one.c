#pragma polyad noalias a
/* Elements are counted from 1. */
void from_one(int n, double **a, double x[], double b[])
{
    int i, j;
    for (i = 1; i <= n; i++) {
        b[i] = 0.0;
        for (j = 1; j <= n; j++) b[i] += a[i][j] * x[j];
    }
}
