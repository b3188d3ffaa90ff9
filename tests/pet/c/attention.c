#include <math.h>

/* Attention of each place to those up to it: y[i] = sum_j softmax(q[i] k[j] / sqrt(D)) v[j], j <= i. */
void attention(int n, int D, const double q[n][D], const double k[n][D], const double v[n][D], double y[n][D])
{
#pragma scop
    for (int i = 0; i < n; i++) {
        double score[n];
        double top = -1e300, total = 0;

        for (int j = 0; j <= i; j++) {
            score[j] = 0;
            for (int d = 0; d < D; d++)
                score[j] += q[i][d] * k[j][d];
            score[j] /= sqrt(D);
            top = fmax(top, score[j]);
        }
        for (int j = 0; j <= i; j++) {
            score[j] = exp(score[j] - top);
            total += score[j];
        }
        for (int d = 0; d < D; d++) {
            double sum = 0;
            for (int j = 0; j <= i; j++)
                sum += score[j] * v[j][d];
            y[i][d] = sum / total;
        }
    }
#pragma endscop
}
