double both_ends(int n, const double *x)
{
    double s = 0;
    int i, j;
#pragma scop
    for (i = 0, j = n - 1; i < j; i++, j--)
        s += x[i] * x[j];
#pragma endscop
    return s;
}
