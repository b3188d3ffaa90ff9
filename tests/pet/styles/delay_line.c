#include <string.h>
#define L 3
typedef float f32;
void delay_line(const f32 *restrict x, const f32 h[static L], f32 *restrict y, const int n)
{
    f32 delay[L] = { 0 };
#pragma scop
    for (int i = 0; i < n; ++i) {
        for (int k = L - 1; k > 0; --k)
            delay[k] = delay[k - 1];
        delay[0] = x[i];
        f32 acc = 0;
        for (int k = 0; k < L; ++k)
            acc += h[k] * delay[k];
        y[i] = acc;
    }
#pragma endscop
}
