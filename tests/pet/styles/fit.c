double fit(int n, int iters, const double *x, const double *y, double lr)
{
    double w = 0.0, b = 0.0;
    double loss = 0.0;
#pragma scop
    for (int it = 0; it < iters; it++) {
        double gw = 0.0, gb = 0.0;
        for (int i = 0; i < n; i++) {
            double e = w * x[i] + b - y[i];
            gw += 2.0 * e * x[i];
            gb += 2.0 * e;
        }
        w -= lr * gw / n;
        b -= lr * gb / n;
    }
    for (int i = 0; i < n; i++) {
        double e = w * x[i] + b - y[i];
        loss += e * e;
    }
#pragma endscop
    return loss / n;
}
