#include <math.h>
#define SEQ 4
#define IN 3
#define HID 2
static float sigmoidf(float v) { return 1.0f / (1.0f + expf(-v)); }
void gru(const float x[SEQ][IN], const float target[SEQ][HID],
         const float Wz[HID][IN], const float Uz[HID][HID], const float Wr[HID][IN], const float Ur[HID][HID],
         const float Wn[HID][IN], const float Un[HID][HID], float loss[1])
{
    float h[HID] ;
    float hn[HID];
#pragma scop
    loss[0] = 0.0f;
    for (int i = 0; i < HID; ++i) h[i] = 0.0f;
    for (int t = 0; t < SEQ; ++t) {
        for (int i = 0; i < HID; ++i) {
            float az = 0, ar = 0, an = 0, un = 0;
            for (int k = 0; k < IN; ++k) {
                az += Wz[i][k] * x[t][k];
                ar += Wr[i][k] * x[t][k];
                an += Wn[i][k] * x[t][k];
            }
            for (int k = 0; k < HID; ++k) {
                az += Uz[i][k] * h[k];
                ar += Ur[i][k] * h[k];
                un += Un[i][k] * h[k];
            }
            const float z = sigmoidf(az);
            const float r = sigmoidf(ar);
            hn[i] = (1.0f - z) * tanhf(an + r * un) + z * h[i];
        }
        for (int i = 0; i < HID; ++i) h[i] = hn[i];
        for (int i = 0; i < HID; ++i) {
            const float d = h[i] - target[t][i];
            loss[0] += 0.5f * d * d;
        }
    }
#pragma endscop
}
