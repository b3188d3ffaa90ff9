#include <stdlib.h>
#include <string.h>

/* Elements that are copied and set by their bytes. */
void whole_elements(size_t n, int m, const double *x, double *y, double *h, double g[m][3])
{
    double last[2], *row = malloc(m * sizeof *row);
    memset(y, 0, n * m * sizeof(double));
    memset(last, 0, sizeof last);
    memset(g, 0, sizeof(double) * 3 * m);
    for (size_t i = 0; i < n; i++) {
        double *o = y + i * m;
        memcpy(row, &x[i * m], m * sizeof(*row));
        memcpy(o, row, sizeof(double) * m);
        for (int j = 0; j < m; j++)
            o[j] *= x[i * m + j] + last[0];
        memmove(h + 1, h, (n + 1) * sizeof(double));
        h[0] = o[0];
        memcpy(last, o, sizeof(last[0]));
        if (m > 2)
            memmove(h, h + 2, n * sizeof *h);
        g[0][2] += last[0] + last[1];
    }
    free(row);
}
