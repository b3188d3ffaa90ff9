#pragma polyad shape x=n,ld
void strip(int n, int m, int ld, const double *x, double *y)
{
    for (int i = 0; i < n; i++)
        for (int j = 0; j < m; j++)
            y[i * m + j] = x[i * ld + j] * x[i * ld];
}
