int status(int n, const double *x, double *y, double *s)
{
    int i; double a = 2, b;
    b = 3; y[0] = 7; if (n < 1) { return -1; }
    *s = 0;
#pragma scop
    for (i = 0; i < n; i++) y[i] = a * x[i] + b; 
#pragma endscop
    for (i = 0; i < n; i++)
        *s += y[i];
    *s /= 2;
    return 0;
}
