#include <math.h>

/* Rows of x with mean 0 and variance 1, scaled and shifted, in single precision. */
void layer_norm(int n, int m, const float x[n][m], const float scale[m], const float shift[m], float y[n][m])
{
#pragma scop
    for (int i = 0; i < n; i++) {
        float mean = 0.0f;
        for (int j = 0; j < m; j++)
            mean += x[i][j];
        mean /= m;

        float variance = 0.0f;
        for (int j = 0; j < m; j++)
            variance += (x[i][j] - mean) * (x[i][j] - mean);
        variance /= m;

        float inverse = 1.0f / sqrtf(variance + 1e-5f);
        for (int j = 0; j < m; j++)
            y[i][j] = (x[i][j] - mean) * inverse * scale[j] + shift[j];
    }
#pragma endscop
}
