/* Two kernels in one program. */
#include "gather.h"
#include "normed.h"
#include "polyad_runtime.h"

int main(void)
{
    normed_sizes normed_at = {4, 3};
    gather_sizes gather_at = {4, 3, 2};
    int one = normed(&normed_at, NULL, NULL, NULL, NULL, NULL, 0);
    int two = gather(&gather_at, NULL, NULL, NULL, NULL, 0);
    return !(one == POLYAD_ERROR_NULL && two == POLYAD_ERROR_NULL && polyad_status_text(one)[0] == 'a');
}
