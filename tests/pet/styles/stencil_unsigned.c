#include <stdint.h>
void stencil_unsigned(uint32_t n, uint64_t m, const float x[n][m], float y[n][m])
{
#pragma scop
    for (uint32_t i = 0; i < n; i++) for (uint64_t j = 0; j < m; j++) y[i][j] = 0;
    for (uint32_t i = 1; i < n - 1; i++)
        for (uint64_t j = 1; j < m - 1; j++) y[i][j] = x[i - 1][j] * x[i][j - 1] + x[i + 1][j] * x[i][j + 1];
#pragma endscop
}
