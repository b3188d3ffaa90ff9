/* What the hosts need of NVIDIA's driver: a context, memory, copies. */
#ifndef DEVICE_H
#define DEVICE_H
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>

#ifdef __cplusplus
extern "C" {
#endif
typedef unsigned long long CUdeviceptr;
typedef struct CUstream_st *CUstream;
int cuInit(unsigned int flags);
int cuDeviceGet(int *device, int ordinal);
int cuDevicePrimaryCtxRetain(void **context, int device);
int cuCtxSetCurrent(void *context);
int cuStreamCreate(CUstream *stream, unsigned int flags);
int cuStreamSynchronize(CUstream stream);
int cuMemAlloc_v2(CUdeviceptr *memory, size_t bytes);
int cuMemcpyHtoD_v2(CUdeviceptr to, const void *from, size_t bytes);
int cuMemcpyDtoH_v2(void *to, CUdeviceptr from, size_t bytes);
#ifdef __cplusplus
}
#endif

static inline void must(const char *what, int error)
{
    if (error == 0) return;
    fprintf(stderr, "%s: %d\n", what, error);
    exit(9);
}
static inline void *begin_on_device(void)
{
    int device = 0;
    void *context = NULL;
    must("cuInit", cuInit(0));
    must("cuDeviceGet", cuDeviceGet(&device, 0));
    must("cuDevicePrimaryCtxRetain", cuDevicePrimaryCtxRetain(&context, device));
    must("cuCtxSetCurrent", cuCtxSetCurrent(context));
    return context;
}
/* Memory of the device, with what stands at `from`, or as it comes. */
static inline void *on_device(const void *from, size_t bytes)
{
    CUdeviceptr memory = 0;
    must("cuMemAlloc", cuMemAlloc_v2(&memory, bytes + (bytes == 0)));
    if (from != NULL && bytes > 0) must("cuMemcpyHtoD", cuMemcpyHtoD_v2(memory, from, bytes));
    return (void *)(uintptr_t)memory;
}
static inline void from_device(void *to, const void *memory, size_t bytes)
{
    if (bytes > 0) must("cuMemcpyDtoH", cuMemcpyDtoH_v2(to, (CUdeviceptr)(uintptr_t)memory, bytes));
}
#endif
