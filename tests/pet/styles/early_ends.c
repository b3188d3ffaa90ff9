double early_ends(int n, const double x[n])
{
    if (n == 0) return 5;
    double s = 1; int i;
    if (x[0] > 10) {
        return x[0];
    }
#pragma scop
    for (i = 0; i < n; i++) { s *= x[i]; }
#pragma endscop
    s = s + 1; return s * s; }
