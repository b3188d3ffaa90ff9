#include <math.h>
double log_sum(int n, const double *x)
{
    double m = x[0];
    int i;
    for (i = 1; i < n; i++)
        if (x[i] > m)
            m = x[i];
    double s = 0;
    for (i = 0; i < n; i++) {
        s += exp(x[i] - m);
    }
    if (n > 3) { s = s * 2; }
    return m + log(s);
}
