#include <math.h>
double converged(int n, int most, const double b[n], double tol)
{
    double x = 0, change = 1;
    int it;
#pragma scop
    for (it = 0; it < most && change > tol; it++) {
        double old = x;
        x = 0;
        for (int i = 0; i < n; i++)
            x += b[i] * cos(old) / (i + 2);
        change = fabs(x - old);
    }
#pragma endscop
    return x;
}
