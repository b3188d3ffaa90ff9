void chain(int n, const double x[n], double y[n], double z[n])
{
    double a, b;
#pragma scop
    a = b = 0.5;
    for (int i = 0; i < n; i++) {
        a = b = a * x[i] + b, y[i] = z[i] = a * b;
        y[i] += a = 0.25 * b;
    }
#pragma endscop
}
