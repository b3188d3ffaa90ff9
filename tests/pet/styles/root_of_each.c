#include <math.h>
/* A helper with a loop that returns from it. */
static double root(double a)
{
    double r = 1;
    for (int k = 0; k < 30; k++) {
        double next = 0.5 * (r + a / r);
        if (fabs(next - r) < 1e-13)
            return next;
        r = next;
    }
    return r;
}

void root_of_each(int n, const double x[n], double y[n])
{
#pragma scop
    for (int i = 0; i < n; i++)
        y[i] = root(x[i] * x[i] + 1);
#pragma endscop
}
