#include <math.h>

/* Roots of r + r^3 / 3 = a[i] by Newton's method: always steps steps, of which those do nothing where it is close enough. */
void newton_if(int n, int steps, double tolerance, const double a[n], double root[n])
{
#pragma scop
    for (int i = 0; i < n; i++) {
        double r = a[i];
        for (int k = 0; k < steps; k++) {
            double residual = r + r * r * r / 3 - a[i];
            if (fabs(residual) >= tolerance)
                r -= residual / (1 + r * r);
        }
        root[i] = r;
    }
#pragma endscop
}
