double two_ways(int n, const double *x, const double *y)
{
    double s = 0;
    const double *p = x, *q = y + n - 1;
    for (int i = 0; i < n; i++, p++) {
        s += *p * *q;
        q--;
    }
    return s;
}
