void powers(int n, int deg, const double x[n], double *v)
{
    int k = 0;
    double p;
#pragma scop
    for (int i = 0; i < n; i++) {
        p = 1;
        for (int d = 0; d < deg; d++) {
            v[k++] = p;
            p *= x[i];
        }
    }
#pragma endscop
}
