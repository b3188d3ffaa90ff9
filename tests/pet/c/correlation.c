#include <math.h>

#define EPSILON 0.1

/* Correlations of the columns of data; a column that hardly varies is not divided by how little it does. */
void correlation(int n, int m, const double data[n][m], double corr[m][m])
{
    double mean[m], stddev[m], centred[n][m];
    int i, j, k;

#pragma scop
    for (j = 0; j < m; j++) {
        mean[j] = 0.0;
        for (i = 0; i < n; i++)
            mean[j] += data[i][j];
        mean[j] /= (double)n;
    }
    for (j = 0; j < m; j++) {
        stddev[j] = 0.0;
        for (i = 0; i < n; i++)
            stddev[j] += (data[i][j] - mean[j]) * (data[i][j] - mean[j]);
        stddev[j] = sqrt(stddev[j] / n);
        stddev[j] = stddev[j] <= EPSILON ? 1.0 : stddev[j];
    }
    for (i = 0; i < n; i++)
        for (j = 0; j < m; j++)
            centred[i][j] = (data[i][j] - mean[j]) / (sqrt((double)n) * stddev[j]);
    for (i = 0; i < m; i++) {
        corr[i][i] = 1.0;
        for (j = i + 1; j < m; j++) {
            corr[i][j] = 0.0;
            for (k = 0; k < n; k++)
                corr[i][j] += centred[k][i] * centred[k][j];
            corr[j][i] = corr[i][j];
        }
    }
#pragma endscop
}
