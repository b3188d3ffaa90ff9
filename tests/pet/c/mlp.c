#include <math.h>
#include <stddef.h>

static inline double leaky(double x)
{
    return x > 0 ? x : 0.01 * x;
}

/* A multilayer perceptron: layers of equal width, then the mean squared error over a batch. */
void mlp(size_t layers, size_t batch, size_t width, const double W[layers][width][width],
         const double b[layers][width], const double x[batch][width], const double target[batch][width],
         double a[layers + 1][batch][width], double *loss)
{
    size_t i, j, k, l;

#pragma scop
    for (i = 0; i < batch; i++)
        for (j = 0; j < width; j++)
            a[0][i][j] = x[i][j];
    for (l = 0; l < layers; l++)
        for (i = 0; i < batch; i++)
            for (j = 0; j < width; j++) {
                double z = b[l][j];
                for (k = 0; k < width; k++)
                    z += a[l][i][k] * W[l][j][k];
                a[l + 1][i][j] = leaky(z);
            }
    loss[0] = 0;
    for (i = 0; i < batch; i++)
        for (j = 0; j < width; j++)
            loss[0] += pow(a[layers][i][j] - target[i][j], 2) / width;
#pragma endscop
}
