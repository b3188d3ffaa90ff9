#include <math.h>

/* Structs of arrays and sizes, one in another, and a helper that takes the inner one. */
typedef struct {
    int n, m;
    double *w;
    const double *b;
} layer_t;

struct net {
    layer_t first;
    layer_t second;
    double gain;
};

static void dense(const layer_t *l, int m, const double *x, double *y)
{
    for (int i = 0; i < l->n; i++) {
        double s = l->b[i];
        for (int j = 0; j < m; j++)
            s += l->w[i * m + j] * x[j];
        y[i] = s;
    }
}

void layers(const struct net *net, const double *x, double *h, double *y)
{
    const layer_t *first = &net->first;
    dense(first, first->m, x, h);
    for (int i = 0; i < first->n; i++)
        h[i] = h[i] / (1.0 + h[i] * h[i]);
    dense(&net->second, net->first.n, h, y);
    for (int i = 0; i < net->second.n; i++)
        y[i] *= net->gain;
}
