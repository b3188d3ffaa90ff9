#include <math.h>

static inline double sigmoid(double x)
{
    return 1.0 / (1.0 + exp(-x));
}

/*
 * The LSTM of the ADBench suite: L layers of B units each, element by element, along a text of C characters of B bits.
 * Row 2k of W has the weights of layer k and row 2k + 1 its biases: forget, ingate, outgate and change, B of each. V is
 * the scale of the input, the scale of the output and its bias. Rows 2k and 2k + 1 of state are what h and c of layer
 * k start as.
 */
void adbench_lstm(int L, int C, int B, const double W[2 * L][4 * B], const double V[3][B],
                  const double state[2 * L][B], const double text[C][B], double loss[1])
{
    double h[L][B], c[L][B], x[B], y[B];
    double forget, ingate, outgate, change, total, sum;

#pragma scop
    for (int k = 0; k < L; k++)
        for (int j = 0; j < B; j++) {
            h[k][j] = state[2 * k][j];
            c[k][j] = state[2 * k + 1][j];
        }

    total = 0;
    for (int t = 0; t < C - 1; t++) {
        for (int j = 0; j < B; j++)
            x[j] = text[t][j] * V[0][j];
        for (int k = 0; k < L; k++)
            for (int j = 0; j < B; j++) {
                forget = sigmoid(x[j] * W[2 * k][j] + W[2 * k + 1][j]);
                ingate = sigmoid(h[k][j] * W[2 * k][B + j] + W[2 * k + 1][B + j]);
                outgate = sigmoid(x[j] * W[2 * k][2 * B + j] + W[2 * k + 1][2 * B + j]);
                change = tanh(h[k][j] * W[2 * k][3 * B + j] + W[2 * k + 1][3 * B + j]);
                c[k][j] = c[k][j] * forget + ingate * change;
                h[k][j] = outgate * tanh(c[k][j]);
                x[j] = h[k][j];
            }
        sum = 2;
        for (int j = 0; j < B; j++) {
            y[j] = x[j] * V[1][j] + V[2][j];
            sum += exp(y[j]);
        }
        for (int j = 0; j < B; j++)
            total += text[t + 1][j] * (y[j] - log(sum));
    }
    loss[0] = -total / ((C - 1) * B);
#pragma endscop
}
