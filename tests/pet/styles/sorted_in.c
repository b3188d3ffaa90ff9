/* Where a value belongs in a list that grows. */
double sorted_in(int n, const double grid[n], const double f[n], double at)
{
    int k = 0;
#pragma scop
    for (k = 0; k < n - 1; k++)
        if (grid[k + 1] > at)
            return f[k] + (f[k + 1] - f[k]) * (at - grid[k]);
#pragma endscop
    return f[n - 1] * at;
}
