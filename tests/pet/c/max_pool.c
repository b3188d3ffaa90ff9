/* The largest number of each row, remembered by where it is. */
void max_pool(int n, int width, const double x[n][width], double y[n])
{
#pragma scop
    for (int i = 0; i < n; i++) {
        int best = 0;
        for (int j = 1; j < width; j++)
            if (x[i][j] > x[i][best])
                best = j;
        y[i] = x[i][best];
    }
#pragma endscop
}
