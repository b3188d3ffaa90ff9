/* Reads N, K, A, x from stdin as binary, writes y and total to stdout. */
#include <stdio.h>
#include <stdlib.h>

#include "normed.h"
#include "polyad_runtime.h"

int main(void)
{
    normed_sizes sizes;
    if (fread(&sizes, sizeof sizes, 1, stdin) != 1) return 10;
    size_t n = (size_t)sizes.N, k = (size_t)sizes.K;
    double *A = (double *)malloc(n * k * sizeof *A), *x = (double *)malloc(k * sizeof *x);
    double *y = (double *)malloc(n * sizeof *y), total = 0.0;
    size_t bytes = normed_workspace(&sizes);
    char *block = (char *)malloc(bytes + 64);
    void *workspace = block + (64 - (uintptr_t)block % 64);
    if (fread(A, sizeof *A, n * k, stdin) != n * k || fread(x, sizeof *x, k, stdin) != k) return 11;
    int status = normed(&sizes, A, x, y, &total, workspace, bytes);
    if (status != POLYAD_OK) return 12;
    if (fwrite(y, sizeof *y, n, stdout) != n || fwrite(&total, sizeof total, 1, stdout) != 1) return 13;
    free(A);
    free(x);
    free(y);
    free(block);
    return 0;
}
