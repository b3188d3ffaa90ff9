#include <stdint.h>

/* Rows of small integers with a scale for each group of them. */
#pragma polyad multiple n=group
void scaled_groups(int n, int rows, int group, const int8_t *xq, const double *xs, const int8_t *wq, const double *ws,
                   double *out)
{
    for (int i = 0; i < rows; i++) {
        int start = i * n;
        double sum = 0.0;
        for (int j = 0; j <= n - group; j += group) {
            int dot = 0;
            for (int k = 0; k < group; k++)
                dot += (int)xq[j + k] * (int)wq[start + j + k];
            sum += (double)dot * ws[(start + j) / group] * xs[j / group];
        }
        out[i] = sum;
    }
}
