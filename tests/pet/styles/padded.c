/* lists padded by -1, as neighbours in graphs are */
void padded(int n, int m, const int p[n], const double w[n], const double x[m], double *s, double y[m], double z[n])
{
#pragma scop
    *s = 0;
    for (int j = 0; j < m; j++)
        y[j] = 0;
    for (int i = 0; i < n; i++) {
        if (p[i] >= 0 && x[p[i]] > 0.1)
            *s += w[i] * x[p[i]];
        z[i] = p[i] < 0 ? w[i] : x[p[i]] * x[p[i]];
    }
    for (int i = 0; i < n; i++) {
        if (p[i] < 0)
            continue;
        y[p[i]] += w[i] * x[p[i]];
    }
#pragma endscop
}
