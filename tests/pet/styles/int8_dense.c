#include <math.h>
#include <stdint.h>

/* Weights of eight bits, as networks for sound have them. */
typedef int8_t weight_t;
typedef struct DenseLayer {
    const float *bias;
    const weight_t *weights;
    int nb_inputs;
    int nb_neurons;
    float scale;
} DenseLayer;
typedef struct { float out[2]; } State;

void int8_dense(const DenseLayer *layer, State *state, const float *x, float *y, int n)
{
    const int M = layer->nb_inputs, N = layer->nb_neurons;
    for (int t = 0; t < n; t++)
        for (int i = 0; i < N; i++) {
            float sum = layer->bias[i];
            for (int j = 0; j < M; j++)
                sum += layer->weights[j * N + i] * x[t * M + j];
            y[t * N + i] = tanhf(layer->scale * sum);
            state->out[0] += y[t * N + i];
        }
    state->out[1] = state->out[0] * state->out[1];
}
