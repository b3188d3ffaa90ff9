/* A driver that runs nothing: it tells of each launch. `libcuda.so.1` for tests of the code that launches. */
#include <stddef.h>
#include <stdint.h>
#include <string.h>

typedef struct {
    int id;
    char padding[4];
    union {
        char room[64];
        int together;
        unsigned int cluster[3];
    } value;
} attribute;
typedef struct {
    unsigned int grid[3], block[3], shared;
    void *stream;
    attribute *attributes;
    unsigned int count;
} config;

typedef void told(const char *kernel, const unsigned int *grid, const unsigned int *block, unsigned int shared, void *stream,
                  void **arguments, unsigned int members);
typedef void cleared(uint64_t memory, unsigned int value, size_t bytes, void *stream);

static told *tell;
static cleared *clear;
static char names[64][256];
static int count, error, loads, most_shared, major, made_for, multiprocessors, given[64];

void recorder(told *launched, cleared *filled) { tell = launched, clear = filled; }
void recorder_says(int fails, int generation, int code, int blocks, int shared)
{
    error = fails, major = generation, made_for = code, multiprocessors = blocks, most_shared = shared;
}
int recorder_loads(void) { return loads; }

int cuInit(unsigned int flags) { return (int)flags; }
int cuCtxGetDevice(int *device) { return *device = 3, 0; }
int cuDeviceGetAttribute(int *value, int which, int device)
{
    *value = which == 75 ? major : which == 97 ? most_shared : which == 16 ? multiprocessors : 0;
    return device != 3 || *value == 0;
}
int cuLibraryLoadData(void **library, const void *image, void *a, void *b, unsigned int n, void *c, void *d, unsigned int m)
{
    *library = (void *)image;
    ++loads;
    return a || b || n || c || d || m;
}
int cuLibraryGetKernel(void **kernel, void *library, const char *name)
{
    if (library == NULL || count == 64 || strlen(name) > 255) return 1;
    *kernel = strcpy(names[count++], name);
    return 0;
}
static int number(void *kernel) { return (int)(((char *)kernel - names[0]) / 256); }
int cuKernelGetAttribute(int *value, int which, void *kernel, int device)
{
    *value = which == 1 ? 1000 : made_for;
    return (which != 1 && which != 5) || device != 3 || kernel == NULL;
}
int cuKernelSetAttribute(int which, int value, void *kernel, int device)
{
    given[number(kernel)] = value;
    return which != 8 || device != 3 || value > most_shared - 1000;
}
static int launched(void *kernel, const unsigned int *grid, const unsigned int *block, unsigned int shared, void *stream,
                    void **arguments, unsigned int members)
{
    if (members > 1000 ? multiprocessors < (int)grid[0] : grid[0] % members != 0) return 1;
    if ((int)shared > given[number(kernel)]) return 1;
    tell((const char *)kernel, grid, block, shared, stream, arguments, members);
    return error;
}
int cuLaunchKernel(void *kernel, unsigned int gx, unsigned int gy, unsigned int gz, unsigned int bx, unsigned int by,
                   unsigned int bz, unsigned int shared, void *stream, void **arguments, void **extra)
{
    const unsigned int grid[] = {gx, gy, gz}, block[] = {bx, by, bz};
    return extra != NULL ? 1 : launched(kernel, grid, block, shared, stream, arguments, 1);
}
int cuOccupancyMaxActiveClusters(int *running, void *kernel, const config *c)
{
    const attribute *a = c->attributes;
    *running = (int)(35 / a->value.cluster[0]);
    return major < 9 || c->count != 1 || a->id != 4 || (int)c->shared > given[number(kernel)] || c->block[0] == 0;
}
int cuLaunchKernelEx(const config *c, void *kernel, void **arguments, void **extra)
{
    const attribute *a = c->attributes;
    if (extra != NULL || c->count != 1) return 1;
    if (a->id == 2) return launched(kernel, c->grid, c->block, c->shared, c->stream, arguments, a->value.together == 1 ? 1001 : 0);
    if (a->id != 4 || major < 9 || a->value.cluster[1] != 1 || a->value.cluster[2] != 1) return 1;
    return launched(kernel, c->grid, c->block, c->shared, c->stream, arguments, a->value.cluster[0]);
}
int cuMemsetD8Async(uint64_t memory, unsigned char value, size_t bytes, void *stream)
{
    clear(memory, value, bytes, stream);
    return 0;
}
int cuMemcpyDtoHAsync_v2(void *to, uint64_t from, size_t bytes, void *stream)
{
    return stream != (void *)64 || from % 256 != 0 ? 1 : (memset(to, 0, bytes), 0);
}
int cuStreamSynchronize(void *stream) { return stream != (void *)64; }
