/* A x = b by A = L U in place, row by row, and two substitutions, the second from the last row up. */
void ludcmp(int n, double A[n][n], const double b[n], double y[n], double x[n])
{
    int i, j, k;
    double sum;

#pragma scop
    for (i = 0; i < n; i++) {
        for (j = 0; j < i; j++) {
            sum = A[i][j];
            for (k = 0; k < j; k++)
                sum -= A[i][k] * A[k][j];
            A[i][j] = sum / A[j][j];
        }
        for (j = i; j < n; j++) {
            sum = A[i][j];
            for (k = 0; k < i; k++)
                sum -= A[i][k] * A[k][j];
            A[i][j] = sum;
        }
    }
    for (i = 0; i < n; i++) {
        sum = b[i];
        for (j = 0; j < i; j++)
            sum -= A[i][j] * y[j];
        y[i] = sum;
    }
    for (i = n - 1; i >= 0; i--) {
        sum = y[i];
        for (j = i + 1; j < n; j++)
            sum -= A[i][j] * x[j];
        x[i] = sum / A[i][i];
    }
#pragma endscop
}
