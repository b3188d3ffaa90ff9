/* A wrong index is found on the device, once somebody asks. */
#include "device.h"
#include "gather.h"

enum { V = 3, D = 2, T = 4 };

int main(void)
{
    const float table[V * D] = {1, 2, 3, 4, 5, 6};
    int32_t ids[T] = {0, 2, 1, 2};
    float rows[T * D];
    begin_on_device();
    const gather_sizes sizes = {V, D, T};
    const size_t bytes = gather_workspace(&sizes);
    void *const workspace = on_device(NULL, bytes), *const table_there = on_device(table, sizeof table);
    float *const rows_there = (float *)on_device(NULL, sizeof rows);
    CUstream streams[2] = {NULL, NULL};
    must("cuStreamCreate", cuStreamCreate(&streams[1], 0));

    for (int s = 0; s < 2; ++s) {
        for (int wrong = 0; wrong < 3; ++wrong) {
            ids[2] = wrong == 0 ? 1 : wrong == 1 ? V : -1;
            int32_t *const ids_there = (int32_t *)on_device(ids, sizeof ids);
            if (gather(&sizes, (float *)table_there, ids_there, rows_there, workspace, bytes, streams[s]) != POLYAD_OK) return 1;
            const int status = gather_status(workspace, streams[s]);
            if (status != (wrong == 0 ? POLYAD_OK : POLYAD_ERROR_INDEX)) return printf("status %d\n", status), 2;
            from_device(rows, rows_there, sizeof rows);
            if (wrong == 0 && (rows[2] != 5 || rows[7] != 6)) return 3;
        }
    }
    return gather_status(NULL, NULL) == POLYAD_ERROR_NULL ? 0 : 4;
}
