/* Eight threads call a kernel for the first time, each in a stream and a workspace of its own. */
#include <pthread.h>

#include "device.h"
#include "normed.h"

enum { N = 5, K = 3, THREADS = 8 };
static void *context;
static double A[N * K], x[K] = {1, -2, 3}, y[THREADS][N];
static pthread_barrier_t start;

static void *one(void *number)
{
    const int me = (int)(intptr_t)number;
    const normed_sizes sizes = {N, K};
    const size_t bytes = normed_workspace(&sizes);
    CUstream stream = NULL;
    must("cuCtxSetCurrent", cuCtxSetCurrent(context));
    must("cuStreamCreate", cuStreamCreate(&stream, 0));
    double *const y_there = (double *)on_device(NULL, sizeof y[me]), *const total = (double *)on_device(NULL, sizeof(double));
    void *const workspace = on_device(NULL, bytes);
    const double *const A_there = (double *)on_device(A, sizeof A), *const x_there = (double *)on_device(x, sizeof x);
    pthread_barrier_wait(&start);
    for (int n = 0; n < 3; ++n) must("normed", normed(&sizes, A_there, x_there, y_there, total, workspace, bytes, stream));
    must("cuStreamSynchronize", cuStreamSynchronize(stream));
    from_device(y[me], y_there, sizeof y[me]);
    return NULL;
}

int main(void)
{
    pthread_t threads[THREADS];
    for (int n = 0; n < N * K; ++n) A[n] = 0.1 * n;
    context = begin_on_device();
    pthread_barrier_init(&start, NULL, THREADS);
    for (int n = 0; n < THREADS; ++n)
        if (pthread_create(&threads[n], NULL, one, (void *)(intptr_t)n) != 0) return 1;
    for (int n = 0; n < THREADS; ++n) pthread_join(threads[n], NULL);
    for (int n = 1; n < THREADS; ++n)
        for (int i = 0; i < N; ++i)
            if (y[n][i] != y[0][i] || y[0][i] == 0) return 2;
    return 0;
}
