/* An index out of range is a code of its own, and nothing is written. */
#include <stdio.h>
#include <stdlib.h>

#include "gather.h"
#include "polyad_runtime.h"

int main(void)
{
    float table[3 * 2] = {0, 1, 2, 3, 4, 5}, rows[2 * 2] = {-7, -7, -7, -7};
    int32_t good[2] = {2, 0}, high[2] = {0, 3}, low[2] = {0, -1};
    gather_sizes sizes;
    sizes.V = 3;
    sizes.D = 2;
    sizes.T = 2;
    size_t bytes = gather_workspace(&sizes);
    char *block = (char *)malloc(bytes + 64);
    void *workspace = block + (64 - (uintptr_t)block % 64);
    if (gather(&sizes, table, high, rows, workspace, bytes) != POLYAD_ERROR_INDEX) return 1;
    if (gather(&sizes, table, low, rows, workspace, bytes) != POLYAD_ERROR_INDEX) return 2;
    for (int i = 0; i < 4; ++i)
        if (rows[i] != -7) return 3;
    if (gather(&sizes, table, good, rows, workspace, bytes) != POLYAD_OK) return 4;
    free(block);
    return !(rows[0] == 4 && rows[1] == 5 && rows[2] == 0 && rows[3] == 1);
}
