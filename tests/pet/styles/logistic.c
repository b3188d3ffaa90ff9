#include <math.h>
static double sg(double x) { return 1.0 / (1.0 + exp(-x)); }
static float sgf(float x) { return 1 / (1 + expf(-x)); }
void logistic(int n, const double x[n], const double w[n], double y[n], double *s)
{
#pragma scop
    *s = 0;
    for (int i = 0; i < n; i++) {
        y[i] = sg(x[i] * 3) + exp(w[i]) / (1 + exp(w[i])) - 1 / (exp(-1.0 * x[i]) + 1) + 1.0 / (1.0 + exp(w[i])) + sgf(x[i]) * 0;
        *s += 1.0 / (1.0 + exp(0 - sg(x[i])));
    }
#pragma endscop
}
