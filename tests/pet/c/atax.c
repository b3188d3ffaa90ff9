/* y = A' (A x). */
void atax(int m, int n, const double A[restrict m][n], const double x[restrict n], double y[restrict n])
{
    int i, j;
#pragma scop
    for (i = 0; i < n; i++)
        y[i] = 0;
    for (i = 0; i < m; i++) {
        double dot = 0.0;
        for (j = 0; j < n; j++)
            dot += A[i][j] * x[j];
        for (j = 0; j < n; j++)
            y[j] += A[i][j] * dot;
    }
#pragma endscop
}
