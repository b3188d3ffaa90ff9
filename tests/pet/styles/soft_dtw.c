#include <math.h>
#define BIG 1e10
static double softmin(double a, double b, double c, double gamma)
{
    double m = fmin(a, fmin(b, c));
    double s = exp(-(a - m) / gamma) + exp(-(b - m) / gamma) + exp(-(c - m) / gamma);
    return m - gamma * log(s);
}
void soft_dtw(int n, int m, const double *x, const double *y, double gamma, double *cost)
{
    double R[n + 1][m + 1];
#pragma scop
    for (int i = 0; i <= n; i++)
        for (int j = 0; j <= m; j++)
            R[i][j] = BIG;
    R[0][0] = 0.0;
    for (int i = 1; i <= n; i++)
        for (int j = 1; j <= m; j++) {
            double d = (x[i - 1] - y[j - 1]) * (x[i - 1] - y[j - 1]);
            R[i][j] = d + softmin(R[i - 1][j], R[i][j - 1], R[i - 1][j - 1], gamma);
        }
    *cost = R[n][m];
#pragma endscop
}
