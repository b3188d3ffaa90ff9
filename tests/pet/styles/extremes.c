/* pointers without extents: the first element is read before the loop, chained, in front of the pragma */
void extremes(const double *x, unsigned n, double alpha, double *hi, double *lo, double *y)
{
    *hi = *lo = y[0] = x[0];
#pragma scop
    for (unsigned i = 1; i < n; ++i) {
        if (x[i] > *hi)
            *hi = x[i];
        else if (x[i] < *lo)
            *lo = x[i];
        y[i] = y[i - 1] + alpha * (x[i] - y[i - 1]);
    }
#pragma endscop
}
