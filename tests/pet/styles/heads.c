#include <math.h>

/* Attention of heads: the width of each is a quotient of sizes. */
#pragma polyad multiple C=NH
void heads(float *out, float *preatt, float *att, const float *inp, int B, int T, int C, int NH)
{
    int C3 = C * 3;
    int hs = C / NH;
    float scale = 1.0f / sqrtf(hs);
    for (int b = 0; b < B; b++) {
        for (int t = 0; t < T; t++) {
            for (int h = 0; h < NH; h++) {
                const float *query = inp + b * T * C3 + t * C3 + h * hs;
                float *pre = preatt + b * NH * T * T + h * T * T + t * T;
                float *w = att + b * NH * T * T + h * T * T + t * T;
                float maxval = -10000.0f;
                for (int t2 = 0; t2 <= t; t2++) {
                    const float *key = inp + b * T * C3 + t2 * C3 + h * hs + C;
                    float val = 0.0f;
                    for (int i = 0; i < hs; i++)
                        val += query[i] * key[i];
                    val *= scale;
                    if (val > maxval)
                        maxval = val;
                    pre[t2] = val;
                }
                float expsum = 0.0f;
                for (int t2 = 0; t2 <= t; t2++) {
                    float ev = expf(pre[t2] - maxval);
                    expsum += ev;
                    w[t2] = ev;
                }
                float inv = expsum == 0.0f ? 0.0f : 1.0f / expsum;
                for (int t2 = 0; t2 < T; t2++) {
                    if (t2 <= t)
                        w[t2] *= inv;
                    else
                        w[t2] = 0.0f;
                }
                float *o = out + b * T * C + t * C + h * hs;
                for (int i = 0; i < hs; i++)
                    o[i] = 0.0f;
                for (int t2 = 0; t2 <= t; t2++) {
                    const float *value = inp + b * T * C3 + t2 * C3 + h * hs + C * 2;
                    for (int i = 0; i < hs; i++)
                        o[i] += w[t2] * value[i];
                }
            }
        }
    }
}
