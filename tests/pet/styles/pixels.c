#include <stdint.h>
/* Bytes and small integers as data: C computes with them as int. */
void pixels(int n, const uint8_t *img, const signed char w[3], const double gain[3], double *shown)
{
#pragma scop
    for (int i = 1; i < n - 1; i++)
        shown[i] = gain[0] * img[i - 1] / 255.0 + gain[1] * (img[i] - img[i + 1])
            + gain[2] * (w[i % 3] > 0 ? img[i] / 2 : -w[i % 3]);
#pragma endscop
}
