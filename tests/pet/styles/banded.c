#include <stddef.h>
#include <stdlib.h>
/* sizes of one type, loops of another one */
void banded(size_t n, long m, int band, const double x[n], const double *A, double *y)
{
#pragma scop
    for (int i = 0; i < (int)n; i++) {
        y[i] = 0;
        for (int j = 0; j < (int)(m); j++)
            if (abs(i - j) <= band)
                y[i] += A[(size_t)i * m + (size_t)j] * x[(size_t)i] * (double)i / (int)n;
    }
    for (long i = 1; i < (long)n - 1; i++)
        y[i] += x[i - 1] * (long)band;
#pragma endscop
}
