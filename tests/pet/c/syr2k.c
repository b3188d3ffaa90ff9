/* The lower triangle of C = alpha (A B' + B A') + beta C. */
void syr2k(int n, int m, double alpha, double beta, const double A[n][m], const double B[n][m], double C[n][n])
{
    int i, j, k;

#pragma scop
    for (i = 0; i < n; i++) {
        for (j = 0; j <= i; j++)
            C[i][j] *= beta;
        for (k = 0; k < m; k++)
            for (j = 0; j <= i; j++)
                C[i][j] += alpha * (A[j][k] * B[i][k] + B[j][k] * A[i][k]);
    }
#pragma endscop
}
