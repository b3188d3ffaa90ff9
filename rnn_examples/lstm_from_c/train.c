/* Trains the LSTM of lstm.c on the adding problem, with the gradient that polyad has made of lstm.c: no Python, no tape.
 *
 * A sequence has two numbers a step: one between 0 and 1, and a mark. Two steps are marked, one in each half; the answer
 * is the sum of the two numbers there. Who always answers 1 has a mean square error of 1/6. */

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "lstm.h"
#include "lstm_loss_grad.h"

enum { B = 64, T = 20, D = 2, H = 16, STEPS = 1500, REPORT = 300 };

/* Weights, or anything that there is one of for each weight. */
struct weights {
    double W[4 * H][D], U[4 * H][H], b[4 * H], v[H];
};

enum { COUNT = sizeof(struct weights) / sizeof(double) };

static struct weights weights, gradient, mean, square; /* the last two are Adam's */
static double x[B][T][D], target[B], answer[B];

/* Between 0 and 1; the same numbers on every machine. */
static double uniform(void) {
    static unsigned long long state = 1;
    state = state * 6364136223846793005ULL + 1442695040888963407ULL;
    return (double)(state >> 11) / 9007199254740992.0;
}

static void draw_sequences(void) {
    memset(x, 0, sizeof x);
    for (int n = 0; n < B; n++) {
        for (int t = 0; t < T; t++) x[n][t][0] = uniform();
        const int first = (int)(uniform() * (T / 2)), second = T / 2 + (int)(uniform() * (T - T / 2));
        x[n][first][1] = x[n][second][1] = 1;
        target[n] = x[n][first][0] + x[n][second][0];
    }
}

/* The loss on the present sequences, by the C function as it was written. */
static double loss_now(void) {
    double loss[1];
    lstm_loss(B, T, D, H, (const void *)x, target, (const void *)weights.W, (const void *)weights.U, weights.b,
              weights.v, answer, loss);
    return loss[0];
}

/* The same, and the gradient: the parameters are those of lstm_loss, then the gradients, then the workspace. */
static double loss_and_gradient(void *workspace) {
    double loss[1];
    const int status =
        lstm_loss_grad(B, T, D, H, (const void *)x, target, (const void *)weights.W, (const void *)weights.U,
                       weights.b, weights.v, answer, loss, gradient.W, gradient.U, gradient.b, gradient.v, workspace);
    if (status != POLYAD_OK) {
        fprintf(stderr, "lstm_loss_grad returned %d; lstm_loss_grad.h names the codes\n", status);
        exit(EXIT_FAILURE);
    }
    return loss[0];
}

/* The largest difference between the gradient and central differences of lstm_loss. */
static double worst_difference(void *workspace) {
    double *const w = (double *)&weights, worst = 0;
    loss_and_gradient(workspace);
    for (int i = 0; i < COUNT; i++) {
        const double before = w[i], step = 1e-5;
        w[i] = before + step;
        const double upper = loss_now();
        w[i] = before - step;
        const double lower = loss_now();
        w[i] = before;
        worst = fmax(worst, fabs(((double *)&gradient)[i] - (upper - lower) / (2 * step)));
    }
    return worst;
}

static void adam_step(int step) {
    const double rate = 0.01, beta1 = 0.9, beta2 = 0.999;
    double *const w = (double *)&weights, *const m = (double *)&mean, *const s = (double *)&square;
    for (int i = 0; i < COUNT; i++) {
        const double g = ((double *)&gradient)[i];
        m[i] = beta1 * m[i] + (1 - beta1) * g;
        s[i] = beta2 * s[i] + (1 - beta2) * g * g;
        w[i] -= rate * m[i] / (1 - pow(beta1, step)) / (sqrt(s[i] / (1 - pow(beta2, step))) + 1e-8);
    }
}

int main(void) {
    for (int i = 0; i < COUNT; i++) ((double *)&weights)[i] = (uniform() - 0.5) / sqrt(H);
    for (int j = H; j < 2 * H; j++) weights.b[j] = 1; /* the forget gates: remember at first */

    const size_t bytes = lstm_loss_grad_workspace(B, T, D, H);
    void *workspace = malloc(bytes);
    if (workspace == NULL) {
        fprintf(stderr, "out of memory: %zu bytes\n", bytes);
        return EXIT_FAILURE;
    }

    draw_sequences();
    printf("%d weights, workspace %zu bytes\n", COUNT, bytes);
    printf("largest difference to central differences: %.1e\n", worst_difference(workspace));
    double sum = 0;
    for (int step = 1; step <= STEPS; step++) {
        draw_sequences();
        sum += loss_and_gradient(workspace);
        adam_step(step);
        if (step % REPORT == 0) {
            printf("step %4d: loss %.4f\n", step, sum / REPORT);
            sum = 0;
        }
    }
    draw_sequences();
    printf("loss on new sequences: %.4f, of who always answers 1: %.4f\n", loss_now(), 1.0 / 6);
    free(workspace);
    return EXIT_SUCCESS;
}
