#include <stddef.h>
double count_down(size_t n, const double *x, double *y)
{
    double acc = 0;
    size_t k = 0;
#pragma scop
    for (size_t i = n; i-- > 0;) {
        acc += x[i];
        y[i] = acc * x[i];
    }
    while (k < n) {
        y[k] *= 2;
        k += 2;
    }
#pragma endscop
    return acc;
}
