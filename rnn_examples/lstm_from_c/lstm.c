/* The loss of an LSTM that reads sequences of vectors and says one number about each: plain loops, one sequence at a time. */

#include <math.h>

#include "lstm.h"

static inline double sigmoid(double x) {
    return 1.0 / (1.0 + exp(-x));
}

void lstm_loss(int B, int T, int D, int H, const double x[B][T][D], const double target[B], const double W[4 * H][D],
               const double U[4 * H][H], const double b[4 * H], const double v[H], double answer[B], double loss[1]) {
#pragma scop
    loss[0] = 0;
    for (int n = 0; n < B; n++) {
        double h[H], c[H], gate[4 * H];
        for (int j = 0; j < H; j++) {
            h[j] = 0;
            c[j] = 0;
        }
        for (int t = 0; t < T; t++) {
            for (int j = 0; j < 4 * H; j++) {
                gate[j] = b[j];
                for (int k = 0; k < D; k++) gate[j] += W[j][k] * x[n][t][k];
                for (int k = 0; k < H; k++) gate[j] += U[j][k] * h[k];
            }
            for (int j = 0; j < H; j++) {
                c[j] = sigmoid(gate[H + j]) * c[j] + sigmoid(gate[j]) * tanh(gate[2 * H + j]);
                h[j] = sigmoid(gate[3 * H + j]) * tanh(c[j]);
            }
        }
        answer[n] = 0;
        for (int j = 0; j < H; j++) answer[n] += v[j] * h[j];
        loss[0] += (answer[n] - target[n]) * (answer[n] - target[n]) / B;
    }
#pragma endscop
}
