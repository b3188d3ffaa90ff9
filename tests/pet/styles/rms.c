#include <math.h>
float rms(const float *x, int n)
{
    float ss = 0.0f;
#pragma scop
    for (int i = 0; i < n; i++) {
        ss += x[i] * x[i];
    }
#pragma endscop
    return sqrtf(ss / n);
}
