#include <math.h>

/* Runge and Kutta's steps of dx/dt = W2 tanh(W1 x + b1) + b2, and the squared distance from a target at the end. */
void neural_ode(int steps, int D, int H, double dt, const double start[D], const double W1[H][D], const double b1[H],
                const double W2[D][H], const double b2[D], const double target[D], double path[steps + 1][D],
                double loss[1])
{
    double hidden[H], slope[4][D], at[D];

#pragma scop
    for (int d = 0; d < D; d++)
        path[0][d] = start[d];

    for (int t = 0; t < steps; t++) {
        for (int s = 0; s < 4; s++) {
            for (int d = 0; d < D; d++)
                at[d] = s == 0 ? path[t][d] : path[t][d] + (s == 3 ? dt : 0.5 * dt) * slope[s - 1][d];
            for (int h = 0; h < H; h++) {
                hidden[h] = b1[h];
                for (int d = 0; d < D; d++)
                    hidden[h] += W1[h][d] * at[d];
                hidden[h] = tanh(hidden[h]);
            }
            for (int d = 0; d < D; d++) {
                slope[s][d] = b2[d];
                for (int h = 0; h < H; h++)
                    slope[s][d] += W2[d][h] * hidden[h];
            }
        }
        for (int d = 0; d < D; d++)
            path[t + 1][d] = path[t][d] + dt / 6 * (slope[0][d] + 2 * slope[1][d] + 2 * slope[2][d] + slope[3][d]);
    }

    loss[0] = 0;
    for (int d = 0; d < D; d++)
        loss[0] += 0.5 * (path[steps][d] - target[d]) * (path[steps][d] - target[d]);
#pragma endscop
}
