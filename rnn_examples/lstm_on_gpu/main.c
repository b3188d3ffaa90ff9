/* Train an LSTM on a GPU: it learns the mean of a sequence. All stays on the device but the loss, which is printed. */
#include <math.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>

#include "lstm_step.h"

/* Of <cuda.h>, so that the C compiler and the driver are enough; include that where the toolkit is. */
typedef unsigned long long CUdeviceptr;
typedef struct CUstream_st *CUstream;
int cuInit(unsigned int flags);
int cuDeviceGet(int *device, int ordinal);
int cuDevicePrimaryCtxRetain(void **context, int device);
int cuCtxSetCurrent(void *context);
int cuStreamCreate(CUstream *stream, unsigned int flags);
int cuMemAlloc_v2(CUdeviceptr *memory, size_t bytes);
int cuMemcpyHtoD_v2(CUdeviceptr to, const void *from, size_t bytes);
int cuMemcpyDtoHAsync_v2(void *to, CUdeviceptr from, size_t bytes, CUstream stream);
int cuStreamSynchronize(CUstream stream);

enum { T = 12, B = 16, INPUTS = 2, H = 16, STEPS = 60 };

static void check(const char *what, int error)
{
    if (error == 0) return;
    fprintf(stderr, "%s: error %d\n", what, error);
    exit(1);
}

/* Memory of the device, with numbers in it where there are any. */
static float *on_device(size_t count, const float *numbers)
{
    CUdeviceptr memory = 0;
    check("cuMemAlloc", cuMemAlloc_v2(&memory, count * sizeof(float)));
    if (numbers != NULL) check("cuMemcpyHtoD", cuMemcpyHtoD_v2(memory, numbers, count * sizeof(float)));
    return (float *)(uintptr_t)memory;
}

/* Weights that look random, and are the same everywhere. */
static float *weights(size_t count, float scale)
{
    float *const numbers = malloc(count * sizeof(float));
    if (numbers == NULL) exit(1);
    for (size_t n = 0; n < count; ++n) numbers[n] = scale * sinf(1.7f * (float)(n + 1) * (float)(n % 7 + 1));
    float *const memory = on_device(count, numbers);
    free(numbers);
    return memory;
}

int main(void)
{
    int device = 0;
    void *context = NULL;
    CUstream stream = NULL;
    check("cuInit", cuInit(0));
    check("cuDeviceGet", cuDeviceGet(&device, 0));
    check("cuDevicePrimaryCtxRetain", cuDevicePrimaryCtxRetain(&context, device));
    check("cuCtxSetCurrent", cuCtxSetCurrent(context));
    check("cuStreamCreate", cuStreamCreate(&stream, 0));

    static float x[T][B][INPUTS], y[B];
    for (int b = 0; b < B; ++b) {
        for (int t = 0; t < T; ++t) {
            x[t][b][0] = sinf((float)(3 * t + 5 * b)) + 0.1f * (float)(b - B / 2);
            x[t][b][1] = 1.0f / T;
            y[b] += x[t][b][0] / T;
        }
    }
    const size_t counts[] = {INPUTS * 4 * H, H * 4 * H, 4 * H, H};
    const float scales[] = {0.3f, 0.2f, 0.0f, 0.3f};
    float *now[4], *next[4];
    for (int w = 0; w < 4; ++w) now[w] = weights(counts[w], scales[w]), next[w] = on_device(counts[w], NULL);
    const float *const inputs = on_device(sizeof x / sizeof(float), &x[0][0][0]), *const wanted = on_device(B, y);
    float *const loss = on_device(1, NULL);

    const lstm_step_sizes sizes = {.T = T, .B = B};
    const size_t bytes = lstm_step_workspace(&sizes);
    void *const workspace = on_device(bytes / sizeof(float) + 1, NULL);

    for (int step = 0; step <= STEPS; ++step) {
        check("lstm_step", lstm_step(&sizes, inputs, wanted, now[0], now[1], now[2], now[3], loss, next[0], next[1],
                                     next[2], next[3], workspace, bytes, stream));
        for (int w = 0; w < 4; ++w) {
            float *const before = now[w];
            now[w] = next[w], next[w] = before;
        }
        if (step % 20 == 0) { /* only here anybody waits */
            float value = 0;
            check("cuMemcpyDtoH", cuMemcpyDtoHAsync_v2(&value, (CUdeviceptr)(uintptr_t)loss, sizeof value, stream));
            check("cuStreamSynchronize", cuStreamSynchronize(stream));
            printf("step %3d: loss %.6f\n", step, value);
        }
    }
    return 0;
}
