/* Each wrong call returns its code and writes nothing. */
#include <stdio.h>

#include "normed.h"
#include "polyad_runtime.h"

#define N 3
#define K 2
#define EXPECT(code, call)                                                       \
    do {                                                                         \
        int status = (call);                                                     \
        if (status != (code)) return printf("%s: %d\n", #call, status), 1;       \
        for (int i = 0; i < N; ++i)                                              \
            if (y[i] != -7.0) return printf("%s wrote y[%d]\n", #call, i), 1;    \
        if (total != -7.0) return printf("%s wrote total\n", #call), 1;          \
    } while (0)

int main(void)
{
    double A[N * K] = {1, 2, 3, 4, 5, 6}, x[K] = {1, 2}, y[N] = {-7.0, -7.0, -7.0}, total = -7.0;
    normed_sizes sizes = {N, K}, none = {0, K}, negative = {N, -1};
    size_t bytes = normed_workspace(&sizes);
    static char block[4096];
    char *workspace = block + (64 - (uintptr_t)block % 64);
    if (bytes == 0 || bytes + 128 > sizeof block) return printf("unexpected workspace: %u\n", (unsigned)bytes), 1;

    EXPECT(POLYAD_ERROR_NULL, normed(NULL, A, x, y, &total, workspace, bytes));
    EXPECT(POLYAD_ERROR_NULL, normed(&sizes, NULL, x, y, &total, workspace, bytes));
    EXPECT(POLYAD_ERROR_NULL, normed(&sizes, A, NULL, y, &total, workspace, bytes));
    EXPECT(POLYAD_ERROR_NULL, normed(&sizes, A, x, NULL, &total, workspace, bytes));
    EXPECT(POLYAD_ERROR_NULL, normed(&sizes, A, x, y, NULL, workspace, bytes));
    EXPECT(POLYAD_ERROR_NULL, normed(&sizes, A, x, y, &total, NULL, bytes));
    EXPECT(POLYAD_ERROR_WORKSPACE, normed(&sizes, A, x, y, &total, workspace, bytes - 1));
    EXPECT(POLYAD_ERROR_WORKSPACE, normed(&sizes, A, x, y, &total, workspace, 0));
    EXPECT(POLYAD_ERROR_SIZE, normed(&none, A, x, y, &total, workspace, bytes));
    EXPECT(POLYAD_ERROR_SIZE, normed(&negative, A, x, y, &total, workspace, bytes));

    /* any address will do for the workspace */
    if (normed(&sizes, A, x, y, &total, workspace + 8, bytes) != POLYAD_OK) return 2;
    if (y[0] == -7.0 || total == -7.0) return 3;
    if (normed(&sizes, A, x, y, &total, workspace, bytes) != POLYAD_OK) return 2;
    return y[0] == -7.0 || total == -7.0;
}
