/* Thomas's algorithm: b is the diagonal, a what is left and c what is right of it; x is the right-hand side at first. */
void tridiagonal(int n, const double a[restrict n], const double b[restrict n], const double c[restrict n],
                 double x[restrict n])
{
    double upper[n];
    double pivot;

#pragma scop
    for (int i = 0; i < n; i++) {
        if (i == 0) {
            pivot = b[0];
        } else {
            pivot = b[i] - a[i] * upper[i - 1];
            x[i] -= a[i] * x[i - 1];
        }
        upper[i] = c[i] / pivot;
        x[i] /= pivot;
    }
    for (int i = n - 2; i >= 0; --i)
        x[i] -= upper[i] * x[i + 1];
#pragma endscop
}
