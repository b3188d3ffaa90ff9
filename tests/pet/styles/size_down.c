#include <stddef.h>
double size_down(size_t n, const double *c, double x)
{
    double s = 0;
    size_t i = n;
#pragma scop
    while (i > 0) {
        i--;
        s = s * x + c[i];
    }
#pragma endscop
    return s;
}
