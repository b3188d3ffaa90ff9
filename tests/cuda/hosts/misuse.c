/* Wrong calls return their codes before CUDA is asked; a right one returns the code that is given, as there is no device. */
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>

#include "normed.h"

#define EXPECT(code, call)                                                             \
    do {                                                                               \
        const int status = (call);                                                     \
        if (status != (code)) return printf("%s: %d, not %d\n", #call, status, code), 1; \
    } while (0)

int main(int count, char **arguments)
{
    const int otherwise = count > 1 ? atoi(arguments[1]) : 0;
    const normed_sizes sizes = {3, 2}, none = {0, 2}, negative = {3, -1}, huge = {INT64_C(1) << 40, INT64_C(1) << 40};
    double *const p = (double *)(uintptr_t)4096; /* nobody looks at it */
    const size_t bytes = normed_workspace(&sizes);
    if (bytes == 0 || bytes % 256 != 0) return printf("a workspace of %u bytes\n", (unsigned)bytes), 1;
    if (normed_workspace(NULL) != 0 || normed_workspace(&none) != SIZE_MAX) return 2;

    EXPECT(POLYAD_ERROR_NULL, normed(NULL, p, p, p, p, p, bytes, NULL));
    EXPECT(POLYAD_ERROR_NULL, normed(&sizes, NULL, p, p, p, p, bytes, NULL));
    EXPECT(POLYAD_ERROR_NULL, normed(&sizes, p, NULL, p, p, p, bytes, NULL));
    EXPECT(POLYAD_ERROR_NULL, normed(&sizes, p, p, NULL, p, p, bytes, NULL));
    EXPECT(POLYAD_ERROR_NULL, normed(&sizes, p, p, p, NULL, p, bytes, NULL));
    EXPECT(POLYAD_ERROR_NULL, normed(&sizes, p, p, p, p, NULL, bytes, NULL));
    EXPECT(POLYAD_ERROR_WORKSPACE, normed(&sizes, p, p, p, p, p, bytes - 1, NULL));
    EXPECT(POLYAD_ERROR_WORKSPACE, normed(&sizes, p, p, p, p, p, 0, NULL));
    EXPECT(POLYAD_ERROR_SIZE, normed(&none, p, p, p, p, p, bytes, NULL));
    EXPECT(POLYAD_ERROR_SIZE, normed(&negative, p, p, p, p, p, bytes, NULL));
    (void)huge;
    EXPECT(otherwise, normed(&sizes, p, p, p, p, p, bytes, NULL));
    EXPECT(otherwise, normed(&sizes, p, p, p, p, p, bytes, NULL)); /* and again */
    if (otherwise < -1000) return POLYAD_CUDA_ERROR(otherwise) == -1000 - otherwise ? 0 : 3;
    return 0;
}
