/* C += alpha A B, each in rows that are longer than what is used of them. */
void leading(int m, int n, int k, double alpha, const double *A, int lda, const double *B, int ldb, double *C, int ldc)
{
    int i, j, p;
    for (i = 0; i < m; ++i) {
        for (p = 0; p < k; ++p) {
            double part = alpha * A[i * lda + p];
            for (j = 0; j < n; ++j)
                C[i * ldc + j] += part * B[p * ldb + j];
        }
    }
}
