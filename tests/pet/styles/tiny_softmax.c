#include <math.h>
#define B 2
#define D 3
#define K 3
static const int target[B] = { 2, 0 };
static const float x[B][D] = { { 0.1f, -0.2f, 0.3f }, { 1.0f, 0.5f, -1.5f } };
static float logits_at(const float W[K][D], const float b[K], int n, int k)
{
    return W[k][0] * x[n][0] + W[k][1] * x[n][1] + W[k][2] * x[n][2] + b[k];
}
void tiny_softmax(const float W[K][D], const float b[K], float *loss)
{
    *loss = 0.f;
#pragma scop
    for (int n = 0; n < B; ++n) {
        float z[K], mx = -1e30f, s = 0.f;
        for (int k = 0; k < K; ++k) z[k] = logits_at(W, b, n, k);
        for (int k = 0; k < K; ++k) mx = fmaxf(mx, z[k]);
        for (int k = 0; k < K; ++k) s += expf(z[k] - mx);
        *loss += logf(s) + mx - z[target[n]];
    }
    *loss /= B;
#pragma endscop
}
