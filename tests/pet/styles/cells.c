#include <math.h>

/* Helpers that call helpers, with parts of what they were given. */
static double sigmoid(double v) { return 1.0 / (1.0 + exp(-v)); }

static void affine(int n, const double *w, const double *b, const double *x, double *y)
{
    for (int i = 0; i < n; i++)
        y[i] = w[i] * x[i] + b[i];
}

static int first_below(const double *x, int n, double least)
{
    for (int i = 0; i < n; i++)
        if (x[i] < least)
            return i;
    return n;
}

static void cell(int n, const double *w, const double *h, double *c, double *gates)
{
    affine(n, w, w + 4 * n, h, gates);
    affine(n, w + n, w + 5 * n, h, gates + n);
    for (int i = 0; i < n; i++)
        c[i] = sigmoid(gates[i]) * c[i] + tanh(gates[n + i]);
}

void cells(int T, int n, const double *w, const double *h, double *c, double *gates, double *count)
{
    for (int t = 0; t < T; t++) {
        cell(n, w, &h[t * n], c, gates);
        count[t] = first_below(h + t * n, n, -0.5) + 0.25;
    }
}
