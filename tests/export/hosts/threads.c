/* Eight threads at once, each with a workspace of its own: all answers agree with a call alone. */
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "normed.h"
#include "polyad_runtime.h"

enum { N = 200, K = 30, THREADS = 8, CALLS = 20 };
static double A[N * K], x[K], expected[N];

static int call(double *y)
{
    normed_sizes sizes = {N, K};
    double total;
    size_t bytes = normed_workspace(&sizes);
    char *block = (char *)malloc(bytes + 64);
    int status = normed(&sizes, A, x, y, &total, block + (64 - (uintptr_t)block % 64), bytes);
    free(block);
    return status;
}

static void *worker(void *wrong)
{
    double y[N];
    for (int c = 0; c < CALLS; ++c) {
        *(int *)wrong |= call(y) != POLYAD_OK;
        /* Sums may be taken in another order when the number of threads differs. */
        for (int i = 0; i < N; ++i) *(int *)wrong |= fabs(y[i] - expected[i]) > 1e-12;
    }
    return NULL;
}

int main(void)
{
    pthread_t threads[THREADS];
    int wrong[THREADS] = {0}, any = 0;
    for (int i = 0; i < N * K; ++i) A[i] = (i % 17) / 17.0 - 0.5;
    for (int k = 0; k < K; ++k) x[k] = (k % 5) / 5.0;
    if (call(expected) != POLYAD_OK) return 1;
    for (int t = 0; t < THREADS; ++t)
        if (pthread_create(&threads[t], NULL, worker, &wrong[t])) return 2;
    for (int t = 0; t < THREADS; ++t) {
        pthread_join(threads[t], NULL);
        any |= wrong[t];
    }
    return any ? 3 : 0;
}
