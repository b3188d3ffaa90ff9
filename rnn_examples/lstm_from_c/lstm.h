#ifndef LSTM_H
#define LSTM_H

/* B sequences of T vectors of D numbers go through an LSTM of H units; what it answers is v . h after the last step.
 * Rows of W, U and b: input gate, forget gate, candidate, output gate. loss is the mean square of answer - target. */
void lstm_loss(int B, int T, int D, int H, const double x[B][T][D], const double target[B], const double W[4 * H][D],
               const double U[4 * H][H], const double b[4 * H], const double v[H], double answer[B], double loss[1]);

#endif
