/* Quotients in place, and a product of one: `C * m / G` is m values of each of the C / G channels. */
#pragma polyad multiple C=G
void group_norm(int G, int C, int m, const double *x, double *y, double *mean)
{
    for (int g = 0; g < G; g++) {
        double s = 0.0;
        for (int c = 0; c < C / G; c++)
            for (int i = 0; i < m; i++)
                s += x[(g * (C / G) + c) * m + i];
        mean[g] = s / (C * m / G);
        for (int c = 0; c < C / G; c++)
            for (int i = 0; i < m; i++)
                y[(g * (C / G) + c) * m + i] = x[(g * (C / G) + c) * m + i] - mean[g] * (C % G + 1);
    }
}
