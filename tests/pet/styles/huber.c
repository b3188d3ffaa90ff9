#include <math.h>
void huber(int n, const double p[n], const double t[n], double d, double *loss)
{
#pragma scop
    *loss = 0;
    for (int i = 0; i < n; i++) {
        double e = fabs(p[i] - t[i]);
        if (e <= d) {
            *loss += 0.5 * e * e;
        } else {
            *loss += d * (e - 0.5 * d);
        }
    }
    if (n > 0) *loss /= n;
#pragma endscop
}
