#include <math.h>

/* Minus the log-likelihood of what a hidden Markov model of S states emits, scaled in each step. */
void hmm_forward(int T, int S, int K, const double start[S], const double step[S][S], const double emit[S][K],
                 const int seen[T], double loss[1])
{
    double p[S], q[S], total;
    int t, s, r;

#pragma scop
    loss[0] = 0;
    for (s = 0; s < S; s++)
        p[s] = start[s];
    for (t = 0; t < T; t++) {
        total = 0;
        for (s = 0; s < S; s++) {
            q[s] = p[s] * emit[s][seen[t]];
            total += q[s];
        }
        loss[0] -= log(total);
        for (s = 0; s < S; s++) {
            p[s] = 0;
            for (r = 0; r < S; r++)
                p[s] += q[r] / total * step[r][s];
        }
    }
#pragma endscop
}
