/* C = alpha A B + beta C. */
void gemm(int n, int m, int k, double alpha, double beta, const double A[n][k], const double B[k][m], double C[n][m])
{
#pragma scop
    for (int i = 0; i < n; i++) {
        for (int j = 0; j < m; j++)
            C[i][j] *= beta;
        for (int l = 0; l < k; l++)
            for (int j = 0; j < m; j++)
                C[i][j] += alpha * A[i][l] * B[l][j];
    }
#pragma endscop
}
