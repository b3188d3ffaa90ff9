/* C += A B, with matrices as flat arrays, row by row. */
void flat_gemm(int n, int m, int k, const double A[n * k], const double B[k * m], double C[n * m])
{
#pragma scop
    for (int i = 0; i < n; i++)
        for (int j = 0; j < m; j++) {
            double sum = C[i * m + j];
            for (int p = 0; p < k; p++)
                sum += A[i * k + p] * B[p * m + j];
            C[i * m + j] = sum;
        }
#pragma endscop
}
