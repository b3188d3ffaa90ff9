#include <math.h>

/* Huber's loss of the curve a |x|^b with values clipped to [low, high], and a penalty for a negative a. */
void robust_fit(int n, double a, double b, double low, double high, const double x[n], const double y[n],
                double *loss)
{
#pragma scop
    loss[0] = a < 0 ? a * a : 0;
    for (int i = 0; i < n; i++) {
        double value = fmin(fmax(a * pow(fabs(x[i]), b), low), high);
        double error = fabs(value - y[i]);
        loss[0] += error < 1 ? 0.5 * error * error : error - 0.5;
    }
#pragma endscop
}
