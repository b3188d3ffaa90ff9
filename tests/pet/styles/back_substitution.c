#include <stddef.h>
void back_substitution(size_t n, const double L[n][n], double y[n])
{
#pragma scop
    for (size_t k = 0; k < n; k++) {
        size_t i = n - 1 - k;
        for (size_t j = i + 1; j < n; j++) y[i] -= L[i][j] * y[j];
        y[i] /= L[i][i];
    }
#pragma endscop
}
