#include <math.h>
#define N (1 << 3)
void logarithms(const double x[N], double y[N], double *unused, int *work)
{
#pragma scop
    for (int i = 0; i < N; i++) y[i] = log2(x[i]) + log10(x[i]) * exp2(x[i]) - fma(x[i], x[i], 2.0) + fdim(x[i], 0.9) + cbrt(x[i]) + log2f(3.0f) * 0;
#pragma endscop
}
