#include <math.h>

#define T 5
#define D 3
#define H 4

static inline float sigmoid(float x)
{
    return 1.0f / (1.0f + expf(-x));
}

/* The last state of an LSTM in single precision, of a fixed size, one sequence; it keeps no state but the present one. */
void lstm_float(const float x[T][D], const float W[4 * H][D + H], const float bias[4 * H], float h[H], float c[H])
{
#pragma scop
    for (int t = 0; t < T; t++) {
        float z[4 * H];
        for (int j = 0; j < 4 * H; j++) {
            z[j] = bias[j];
            for (int k = 0; k < D; k++)
                z[j] += W[j][k] * x[t][k];
            for (int k = 0; k < H; k++)
                z[j] += W[j][D + k] * h[k];
        }
        for (int j = 0; j < H; j++) {
            c[j] = sigmoid(z[H + j]) * c[j] + sigmoid(z[j]) * tanhf(z[2 * H + j]);
            h[j] = sigmoid(z[3 * H + j]) * tanhf(c[j]);
        }
    }
#pragma endscop
}
