#include <stdio.h>
#include <stdlib.h>
static double square(double v) { return v * v; }
int own_buffers(int n, const double *x, double *total)
{
    double *tmp, s = 0.0;
    int i;
    if (n < 1)
        return -1;
    tmp = (double *)malloc(n * sizeof(double));
    if (tmp == NULL) {
        fprintf(stderr, "no memory\n");
        return -2;
    }
    for (i = 0; i < n; i++)
        tmp[i] = square(x[i]);
    double *more = calloc(n, sizeof *more);
    if (!more)
        return -2;
    for (i = 0; i < n; i++)
        more[i] = tmp[i] * x[i];
    free(tmp);
    for (i = 0; i < n; i++)
        s += more[i];
    *total = s;
    free(more);
    return 0;
}
