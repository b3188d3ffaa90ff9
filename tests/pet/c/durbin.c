/* Levinson and Durbin: T y = -r, where T is symmetric Toeplitz with first row 1, r[0], ..., r[n - 2]. */
void durbin(int n, const double r[n], double y[n])
{
    double z[n];
    double alpha, beta, sum;
    int i, k;

#pragma scop
    y[0] = -r[0];
    beta = 1.0;
    alpha = -r[0];
    for (k = 1; k < n; k++) {
        beta = (1 - alpha * alpha) * beta;
        sum = r[k];
        for (i = 0; i < k; i++)
            sum += r[k - i - 1] * y[i];
        alpha = -sum / beta;
        for (i = 0; i < k; i++)
            z[i] = y[i] + alpha * y[k - i - 1];
        for (i = 0; i < k; i++)
            y[i] = z[i];
        y[k] = alpha;
    }
#pragma endscop
}
