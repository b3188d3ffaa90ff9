/* Entries of an upper band, in the order of their rows. */
void upper_part(int n, const double a[n][n], double band[2 * n])
{
    int at = 0;
#pragma scop
    for (int i = 0; i < n - 1; ++i) {
        band[at++] = a[i][i] * 2;
        band[at++] = a[i][i + 1] * a[i][i];
    }
    band[at] = a[n - 1][n - 1];
#pragma endscop
}
