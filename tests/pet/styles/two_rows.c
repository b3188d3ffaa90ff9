#include <stdlib.h>

/* Dynamic time warping with two rows, which change places. */
double two_rows(const double *x, const double *y, int n, int m)
{
    double *prev = malloc((m + 1) * sizeof(double));
    double *cur = malloc((m + 1) * sizeof(double));
    prev[0] = 0.0;
    for (int j = 1; j <= m; j++)
        prev[j] = 1e3;
    for (int i = 1; i <= n; i++) {
        cur[0] = 1e3;
        for (int j = 1; j <= m; j++) {
            double d = x[i - 1] - y[j - 1];
            double best = prev[j - 1];
            if (prev[j] < best)
                best = prev[j];
            if (cur[j - 1] < best)
                best = cur[j - 1];
            cur[j] = d * d + best;
        }
        double *tmp = prev;
        prev = cur;
        cur = tmp;
    }
    double r = prev[m];
    free(prev);
    free(cur);
    return r;
}
