/* C = alpha A B + beta C, where A is symmetric and only its lower triangle is read. */
void symm(int m, int n, double alpha, double beta, const double A[m][m], const double B[m][n], double C[m][n])
{
#pragma scop
    for (int i = 0; i < m; i++)
        for (int j = 0; j < n; j++) {
            double above = 0;
            for (int k = 0; k < i; k++) {
                C[k][j] += alpha * B[i][j] * A[i][k];
                above += B[k][j] * A[i][k];
            }
            C[i][j] = beta * C[i][j] + alpha * (B[i][j] * A[i][i] + above);
        }
#pragma endscop
}
