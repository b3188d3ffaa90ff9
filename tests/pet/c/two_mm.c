/* D = alpha A B C + beta D, by way of a product that is kept in an array of its own. */
void two_mm(int n, int m, int k, int l, double alpha, double beta, const double A[n][k], const double B[k][m],
            const double C[m][l], double D[n][l])
{
    double product[n][m];

#pragma scop
    for (int i = 0; i < n; i++)
        for (int j = 0; j < m; j++) {
            product[i][j] = 0;
            for (int p = 0; p < k; p++)
                product[i][j] += alpha * A[i][p] * B[p][j];
        }
    for (int i = 0; i < n; i++)
        for (int j = 0; j < l; j++) {
            D[i][j] *= beta;
            for (int p = 0; p < m; p++)
                D[i][j] += product[i][p] * C[p][j];
        }
#pragma endscop
}
