/*
 * Diffusion in the plane by alternating directions: half a step is implicit along columns and explicit along rows, the
 * other half is the other way round. Each half solves tridiagonal systems by a sweep up (p, q) and a sweep down.
 */
void adi(int steps, int n, double lambda, double u[n][n])
{
    double v[n][n], p[n][n], q[n][n];

#pragma scop
    double a = -0.5 * lambda;
    double b = 1.0 + lambda;
    double c = 1.0 - lambda;

    for (int t = 0; t < steps; t++) {
        for (int i = 1; i < n - 1; i++) {
            v[0][i] = 1.0;
            p[i][0] = 0.0;
            q[i][0] = v[0][i];
            for (int j = 1; j < n - 1; j++) {
                p[i][j] = -a / (a * p[i][j - 1] + b);
                q[i][j] = (-a * u[j][i - 1] + c * u[j][i] - a * u[j][i + 1] - a * q[i][j - 1])
                          / (a * p[i][j - 1] + b);
            }
            v[n - 1][i] = 1.0;
            for (int j = n - 2; j >= 1; j--)
                v[j][i] = p[i][j] * v[j + 1][i] + q[i][j];
        }
        for (int i = 1; i < n - 1; i++) {
            u[i][0] = 1.0;
            p[i][0] = 0.0;
            q[i][0] = u[i][0];
            for (int j = 1; j < n - 1; j++) {
                p[i][j] = -a / (a * p[i][j - 1] + b);
                q[i][j] = (-a * v[i - 1][j] + c * v[i][j] - a * v[i + 1][j] - a * q[i][j - 1])
                          / (a * p[i][j - 1] + b);
            }
            u[i][n - 1] = 1.0;
            for (int j = n - 2; j >= 1; j--)
                u[i][j] = p[i][j] * u[i][j + 1] + q[i][j];
        }
    }
#pragma endscop
}
