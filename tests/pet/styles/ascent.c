/* The first row whose sum of squares passes a limit, found from two loops. */
int ascent(int n, int m, const double a[n][m], double limit, double *found)
{
    *found = 0;
#pragma scop
    for (int i = 0; i < n; i++) {
        double s = 0;
        for (int j = 0; j < m; j++) {
            s += a[i][j] * a[i][j];
            if (s > limit) {
                *found = s * a[i][j];
                return i;
            }
        }
    }
#pragma endscop
    return n;
}
