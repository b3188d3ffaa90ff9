#include <math.h>
#include <stddef.h>

/* Helpers that are given places in arrays. */
static double dot(const double *a, const double *b, int n)
{
    double s = 0.0;
    while (n-- > 0)
        s += *a++ * *b++;
    return s;
}

static void softmax(double *x, int n)
{
    double most = x[0], sum = 0.0;
    for (int i = 1; i < n; i++)
        if (x[i] > most)
            most = x[i];
    for (int i = 0; i < n; i++) {
        x[i] = exp(x[i] - most);
        sum += x[i];
    }
    for (int i = 0; i < n; i++)
        x[i] /= sum;
}

static double leaky(const double *v, double s)
{
    if (*v > s)
        return *v;
    return s / 2 + 0.1 * *v;
}

static void mean_of(const double *x, const double *shift, int n, double *mean, double *least)
{
    *mean = 0.0;
    for (int i = 0; i < n; i++)
        *mean += (shift ? x[i] - shift[i] : x[i]) / n;
    if (least)
        *least = x[n - 1];
}

void moved_calls(int n, int m, const double *x, const double *y, double *g, double *z)
{
    for (int i = 0; i < n; i++) {
        double mean, last = 1.0;
        mean_of(x + i * m, NULL, m, &mean, &last);
        for (int j = 0; j < n; j++)
            g[i * n + j] = dot(x + i * m, y + j * m, m) - last * leaky(&x[i * m], mean);
        softmax(&g[i * n], n);
        mean_of(&x[i * m], y, m, z + i, NULL);
        if (leaky(z + i, 1) > 0.5)
            z[i] *= 2.0;
    }
}
