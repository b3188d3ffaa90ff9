/* Reads N, K, A and x from stdin, calls the kernel on the device, writes y and total to stdout. */
#include "device.h"
#include "normed.h"

static double *read_numbers(size_t count)
{
    double *const numbers = (double *)malloc(count * sizeof(double));
    if (numbers == NULL || fread(numbers, sizeof(double), count, stdin) != count) exit(2);
    return numbers;
}

int main(void)
{
    int64_t extents[2];
    if (fread(extents, sizeof *extents, 2, stdin) != 2) return 2;
    const size_t n = (size_t)extents[0], k = (size_t)extents[1];
    double *const A = read_numbers(n * k), *const x = read_numbers(k), *const y = (double *)malloc(n * sizeof(double));
    double total = 0;

    begin_on_device();
    CUstream stream = NULL;
    must("cuStreamCreate", cuStreamCreate(&stream, 0));
    const normed_sizes sizes = {extents[0], extents[1]};
    const size_t bytes = normed_workspace(&sizes);
    double *const y_there = (double *)on_device(NULL, n * sizeof(double));
    double *const total_there = (double *)on_device(NULL, sizeof total);
    const int status = normed(&sizes, (double *)on_device(A, n * k * sizeof(double)), (double *)on_device(x, k * sizeof(double)),
                              y_there, total_there, on_device(NULL, bytes), bytes, stream);
    if (status != POLYAD_OK) return 3;
    must("cuStreamSynchronize", cuStreamSynchronize(stream));
    from_device(y, y_there, n * sizeof(double));
    from_device(&total, total_there, sizeof total);
    fwrite(y, sizeof(double), n, stdout);
    fwrite(&total, sizeof(double), 1, stdout);
    return 0;
}
