#pragma polyad shape table=m
#pragma polyad shape wide=m,3
void looked_up(int n, int m, const double *table, const double *wide, const int *idx, double *y)
{
    for (int i = 0; i < n; i++)
        y[i] = table[idx[i]] * wide[3 * idx[i] + 2];
}
