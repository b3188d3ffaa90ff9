#include <float.h>
void viterbi(int T, int S, const double logpi[S], const double logA[S][S], const double logB[S][2], const int obs[T], double *best)
{
    double v[T][S];
#pragma scop
    for (int s = 0; s < S; s++) v[0][s] = logpi[s] + logB[s][obs[0]];
    for (int t = 1; t < T; t++)
        for (int s = 0; s < S; s++) {
            double m = -DBL_MAX;
            for (int p = 0; p < S; p++) {
                double w = v[t - 1][p] + logA[p][s];
                if (w > m) m = w;
            }
            v[t][s] = m + logB[s][obs[t]];
        }
    double top = v[T - 1][0];
    for (int s = 1; s < S; s++)
        if (v[T - 1][s] > top) top = v[T - 1][s];
    best[0] = top;
#pragma endscop
}
