#define TAPS 5
static const float coef[TAPS] = { 0.1f, 0.2f, 0.4f, 0.2f, 0.1f };
void fir(int n, const float *restrict x, float *restrict y)
{
#pragma scop
    for (int i = 0; i < n - TAPS + 1; i += 2) {
        float acc = 0.0f;
        for (int k = TAPS - 1; k >= 0; --k)
            acc += coef[k] * x[i + k];
        y[i / 2] = acc;
    }
#pragma endscop
}
