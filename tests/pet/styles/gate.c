#include <math.h>
static double sigm(double v) { return 1 / (1 + exp(-v)); }
void gate(int n, const double x[n], double y[n])
{
#pragma scop
    for (int i = 0; i < n; i++)
        if (sigm(x[i]) > 0.5)
            y[i] = x[i] * sigm(x[i]);
        else
            y[i] = 0.1 * x[i];
#pragma endscop
}
