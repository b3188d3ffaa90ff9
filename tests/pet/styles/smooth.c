#include <stdlib.h>
void smooth(int n, const double *x, double *y)
{
    double *tmp = malloc(n * sizeof(double));
#pragma scop
    for (int i = 0; i < n; i++) tmp[i] = x[i] * x[i];
    y[0] = tmp[0];
    y[n - 1] = tmp[n - 1];
    for (int i = 1; i < n - 1; i++) y[i] = (tmp[i - 1] + tmp[i] + tmp[i + 1]) / 3.0;
#pragma endscop
    free(tmp);
}
