#include <math.h>

/* Best sum of scores of nested pairs in each interval [i, j] of a sequence, at least one place between two of a pair. */
void nussinov(int n, const double score[n][n], double best[n][n])
{
#pragma scop
    for (int i = n - 1; i >= 0; i--) {
        for (int j = 0; j <= i; j++)
            best[i][j] = 0;
        for (int j = i + 1; j < n; j++) {
            best[i][j] = fmax(best[i][j - 1], best[i + 1][j]);
            if (i < j - 1)
                best[i][j] = fmax(best[i][j], best[i + 1][j - 1] + score[i][j]);
            for (int k = i + 1; k < j; k++)
                best[i][j] = fmax(best[i][j], best[i][k] + best[k + 1][j]);
        }
    }
#pragma endscop
}
