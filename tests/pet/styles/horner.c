void horner(int n, const double c[n], double x, double *y, double *dy)
{
#pragma scop
    double p = c[n - 1];
    double dp = 0.0;
    for (int j = n - 2; j >= 0; j--) {
        dp = dp * x + p;
        p = p * x + c[j];
    }
    *y = p;
    *dy = dp;
#pragma endscop
}
