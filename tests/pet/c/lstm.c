#include <math.h>

static inline double sigmoid(double x)
{
    return 1.0 / (1.0 + exp(-x));
}

/*
 * T steps of an LSTM over a batch of B, with D inputs and H units; the gates' weights are packed: input, forget,
 * candidate, output. The loss is the cross-entropy of K classes after the last step, summed over the batch.
 */
void lstm(int T, int B, int D, int H, int K, const double x[T][B][D], const double W[4 * H][D],
          const double U[4 * H][H], const double b[4 * H], const double V[K][H], const double target[B][K],
          double h[T + 1][B][H], double c[T + 1][B][H], double loss[1])
{
    double i, f, g, o;

#pragma scop
    for (int n = 0; n < B; n++)
        for (int j = 0; j < H; j++) {
            h[0][n][j] = 0;
            c[0][n][j] = 0;
        }

    for (int t = 0; t < T; t++)
        for (int n = 0; n < B; n++) {
            double gate[4 * H];
            for (int j = 0; j < 4 * H; j++) {
                gate[j] = b[j];
                for (int k = 0; k < D; k++)
                    gate[j] += W[j][k] * x[t][n][k];
                for (int k = 0; k < H; k++)
                    gate[j] += U[j][k] * h[t][n][k];
            }
            for (int j = 0; j < H; j++) {
                i = sigmoid(gate[j]);
                f = sigmoid(gate[H + j]);
                g = tanh(gate[2 * H + j]);
                o = sigmoid(gate[3 * H + j]);
                c[t + 1][n][j] = f * c[t][n][j] + i * g;
                h[t + 1][n][j] = o * tanh(c[t + 1][n][j]);
            }
        }

    loss[0] = 0;
    for (int n = 0; n < B; n++) {
        double logit[K];
        for (int k = 0; k < K; k++) {
            logit[k] = 0;
            for (int j = 0; j < H; j++)
                logit[k] += V[k][j] * h[T][n][j];
        }
        double top = logit[0];
        for (int k = 1; k < K; k++)
            top = fmax(top, logit[k]);
        double sum = 0;
        for (int k = 0; k < K; k++)
            sum += exp(logit[k] - top);
        for (int k = 0; k < K; k++)
            loss[0] += target[n][k] * (top + log(sum) - logit[k]);
    }
#pragma endscop
}
