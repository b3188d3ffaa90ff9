/* The mean of each block of a row, and the row without it; blocks of a size that the caller gives. */
#pragma polyad multiple n=size
void group_means(int m, int n, int size, const double *x, double *mean, double *y)
{
    for (int i = 0; i < m; i++) {
        for (int start = 0; start < n; start += size) {
            double total = 0.0;
            for (int k = 0; k < size; k++)
                total += x[i * n + start + k];
            mean[(i * n + start) / size] = total / size;
        }
        for (int j = 0; j < n; j++)
            y[i * n + j] = x[i * n + j] - mean[i * (n / size) + j / size];
    }
}
