void either_way(int n, int flip, const double *x, double *y)
{
    if (flip > 0) {
        for (int i = 0; i < n; i++) y[i] = x[n - 1 - i];
    } else {
        for (int i = 0; i < n; i++) y[i] = 2 * x[i];
    }
}
