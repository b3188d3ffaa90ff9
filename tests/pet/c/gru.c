#include <math.h>

#define SIGMOID(x) (1.0 / (1.0 + exp(-(x))))

/*
 * T steps of a gated recurrent unit over a batch of B, with D inputs and H units; gates packed: reset, update, candidate.
 * The state is updated in place. The loss is the cross-entropy of K classes at each step, averaged over all of them.
 */
void gru(int T, int B, int D, int H, int K, const double x[T][B][D], const double h0[B][H], const double W[3 * H][D],
         const double U[3 * H][H], const double b[3 * H], const double bu[3 * H], const double V[K][H],
         const int label[T][B], double *loss)
{
    double h[B][H], from_x[3 * H], from_h[3 * H], logit[K];

#pragma scop
    loss[0] = 0;
    for (int n = 0; n < B; n++)
        for (int j = 0; j < H; j++)
            h[n][j] = h0[n][j];

    for (int t = 0; t < T; t++)
        for (int n = 0; n < B; n++) {
            for (int j = 0; j < 3 * H; j++) {
                from_x[j] = b[j];
                for (int k = 0; k < D; k++)
                    from_x[j] += W[j][k] * x[t][n][k];
                from_h[j] = bu[j];
                for (int k = 0; k < H; k++)
                    from_h[j] += U[j][k] * h[n][k];
            }
            for (int j = 0; j < H; j++) {
                double reset = SIGMOID(from_x[j] + from_h[j]);
                double update = SIGMOID(from_x[H + j] + from_h[H + j]);
                double candidate = tanh(from_x[2 * H + j] + reset * from_h[2 * H + j]);
                h[n][j] = (1 - update) * candidate + update * h[n][j];
            }

            double total = 0;
            for (int k = 0; k < K; k++) {
                logit[k] = 0;
                for (int j = 0; j < H; j++)
                    logit[k] += V[k][j] * h[n][j];
                total += exp(logit[k]);
            }
            loss[0] += (log(total) - logit[label[t][n]]) / (T * B);
        }
#pragma endscop
}
