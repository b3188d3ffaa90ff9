/* The lower triangle of C = alpha A A' + beta C. */
void syrk(int n, int m, double alpha, double beta, const double A[n][m], double C[n][n])
{
#pragma scop
    for (int i = 0; i < n; i++)
        for (int j = 0; j <= i; j++) {
            C[i][j] = beta * C[i][j];
            for (int k = 0; k < m; k++)
                C[i][j] += alpha * A[i][k] * A[j][k];
        }
#pragma endscop
}
