void next_row(int n, int m, const float *A, const float *x, float *y)
{
    const float *row = A;
    for (int i = 0; i < n; i++) {
        float s = 0;
        for (int j = 0; j < m; j++)
            s += row[j] * x[j];
        y[i] = s;
        row += m;
    }
}
