#include <math.h>
/* At most twenty steps. */
double newton_root(double a, double tol)
{
    double r = 1, err;
    int it = 0;
#pragma scop
    do {
        double next = 0.5 * (r + a / r);
        err = fabs(next - r);
        r = next;
    } while (err > tol && ++it < 20);
#pragma endscop
    return r;
}
