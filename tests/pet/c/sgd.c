/* Linear regression by gradient descent, a sample at a time with momentum; the loss after it, as the rate decides it. */
void sgd(int epochs, int n, int m, double rate, double momentum, const double x[n][m], const double y[n], double w[m],
         double *loss)
{
    double step[m], error;

#pragma scop
    for (int j = 0; j < m; j++)
        step[j] = 0;
    for (int e = 0; e < epochs; e++)
        for (int i = 0; i < n; i++) {
            error = -y[i];
            for (int j = 0; j < m; j++)
                error += x[i][j] * w[j];
            for (int j = 0; j < m; j++) {
                step[j] = momentum * step[j] - rate * error * x[i][j];
                w[j] += step[j];
            }
        }
    loss[0] = 0;
    for (int i = 0; i < n; i++) {
        error = -y[i];
        for (int j = 0; j < m; j++)
            error += x[i][j] * w[j];
        loss[0] += 0.5 * error * error;
    }
#pragma endscop
}
