void steps_of_two(int n, const double *x, double *y)
{
    int i = 0;
#pragma scop
    while (i + 1 < n) {
        double a = x[i++], b = x[i++];
        y[i - 2] = a * b;
        y[i - 1] = a - b;
    }
    if (i < n)
        y[i] = x[i] * 5;
#pragma endscop
}
