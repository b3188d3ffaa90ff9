#include <stdbool.h>

/* Borders by conditional expressions; parameters that nobody uses, of any type. */
void borders(int n, bool periodic, const char *unused, const double x[n], const double w[n], double y[n], double z[n])
{
#pragma scop
    for (int i = 0; i < n; i++) {
        const double left = i > 0 ? x[i - 1] : x[i];
        const double right = (i == n - 1 || w[i] < -5) ? x[i] : x[i + 1];
        y[i] = left + 2 * x[i] + right + (i + 2 < n && w[i] > 0 ? x[i + 2] : 0.0) + (!(i < 1) ? w[i - 1] : 0);
        z[i] = i == 0 ? x[0] : i == n - 1 ? x[n - 1] * 2 : x[i - 1] * x[i + 1];
    }
#pragma endscop
}
