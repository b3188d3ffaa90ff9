#include <math.h>

/* Values between those of a table, at places from 0 to n - 1. */
void interpolate(int n, int m, const double table[n], const double place[m], double value[m])
{
#pragma scop
    for (int i = 0; i < m; i++) {
        int left = (int)floor(place[i]);
        double part = place[i] - left;
        value[i] = (1 - part) * table[left] + part * table[left + 1];
    }
#pragma endscop
}
