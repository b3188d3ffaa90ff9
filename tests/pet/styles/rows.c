#include <math.h>
/* layers of a network whose loops take pointers to their rows */
static void project(float *out, const float *in, const float *weight, int C, int D)
{
    for (int d = 0; d < D; d++) {
        const float *row = weight + d * C;
        float s = 0.0f;
        for (int i = 0; i < C; i++)
            s += row[i] * in[i];
        out[d] = s;
    }
}
void rows(int B, int T, int C, int D, float *out, float *mean, const float *inp, const float *gain,
          const float wte[4][C], const int *tok, const float *weight, float z[D])
{
#pragma scop
    for (int b = 0; b < B; b++) {
        for (int t = 0; t < T; t++) {
            // seek to the input position inp[b,t,:]
            const float *x = inp + b * T * C + t * C;
            const float *last = &x[C - 1];
            float m = 0.0f, v = 0.0f;
            for (int i = 0; i < C; i++) m += x[i];
            m = m / C + 0.1f * *last;
            for (int i = 0; i < C; i++) {
                float shift = x[i] - m;
                v += shift * shift;
            }
            float s = 1.0f / sqrtf(v / C + 0.1f);
            float *out_bt = out + b * T * C + t * C;
            const float *emb = wte[tok[b * T + t]];
            for (int i = 0; i < C; i++)
                *(out_bt + i) = s * (x[i] - m) * gain[i] + emb[i];
            mean[b * T + t] = m;
        }
    }
    project(z, gain, weight, C, D);
#pragma endscop
}
