/* A while in a for, which begins again in each row. */
void rows_until(int n, int m, const double a[n][m], double y[n])
{
    int j;
#pragma scop
    for (int i = 0; i < n; i++) {
        y[i] = 0;
        j = m;
        while (j > 0 && a[i][j - 1] < 1.5) {
            j--;
            y[i] += a[i][j] * a[i][j];
        }
    }
#pragma endscop
}
