#include <math.h>

enum kind { LINEAR, RELU, LEAKY, SOFT, CUBE };

static double at(double x, enum kind kind)
{
    switch (kind) {
    case RELU:
        return x > 0 ? x : 0;
    case LEAKY:
        return x > 0 ? x : 0.1 * x;
    case SOFT:
        return log1p(exp(x));
    default:
        return x;
    }
}

void kinds(const double *x, int n, int kind, double *y)
{
    int i;
    for (i = 0; i < n; ++i)
        y[i] = at(x[i], kind);
    for (i = 0; i < n; ++i) {
        double more = 1;
        switch (i % 4) {
        case 2:
            more = more + x[i];
        case 1:
        case 3: {
            more = more * 2;
            break;
        }
        default:
            more = 3;
        }
        y[i] += more;
    }
}
