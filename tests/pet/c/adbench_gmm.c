#include <math.h>

/*
 * The Gaussian mixture of the ADBench suite: minus the log-likelihood of N points of D numbers under K Gaussians with
 * weights alpha, means mu and inverse covariances Q'Q, and what the Wishart prior of parameters gamma and m adds to it.
 * Row k of icf packs Q: first the D logarithms of its diagonal, then the P = D (D - 1) / 2 numbers below it, column by
 * column; place[i][j] is where Q[i][j] is kept, i > j. What depends on sizes alone is `constant`.
 */
void adbench_gmm(int K, int D, int N, int P, double gamma, double m, double constant, const int place[D][D],
                 const double alpha[K], const double mu[K][D], const double icf[K][D + P], const double x[N][D],
                 double loss[1])
{
    double scale[K][D], sum_q[K], centred[D], Qx[D], term[K];
    double squared, top, sum, fit, prior;

#pragma scop
    prior = 0;
    for (int k = 0; k < K; k++) {
        sum_q[k] = 0;
        for (int i = 0; i < D; i++) {
            sum_q[k] += icf[k][i];
            scale[k][i] = exp(icf[k][i]);
            prior += 0.5 * gamma * gamma * scale[k][i] * scale[k][i];
        }
        for (int i = D; i < D + P; i++)
            prior += 0.5 * gamma * gamma * icf[k][i] * icf[k][i];
        prior -= m * sum_q[k];
    }

    fit = 0;
    for (int n = 0; n < N; n++) {
        for (int k = 0; k < K; k++) {
            for (int i = 0; i < D; i++)
                centred[i] = x[n][i] - mu[k][i];
            squared = 0;
            for (int i = 0; i < D; i++) {
                Qx[i] = scale[k][i] * centred[i];
                for (int j = 0; j < i; j++)
                    Qx[i] += icf[k][place[i][j]] * centred[j];
                squared += Qx[i] * Qx[i];
            }
            term[k] = alpha[k] + sum_q[k] - 0.5 * squared;
        }
        top = term[0];
        for (int k = 1; k < K; k++)
            top = fmax(top, term[k]);
        sum = 0;
        for (int k = 0; k < K; k++)
            sum += exp(term[k] - top);
        fit += top + log(sum);
    }

    top = alpha[0];
    for (int k = 1; k < K; k++)
        top = fmax(top, alpha[k]);
    sum = 0;
    for (int k = 0; k < K; k++)
        sum += exp(alpha[k] - top);
    loss[0] = fit - N * (top + log(sum)) + prior + constant;
#pragma endscop
}
