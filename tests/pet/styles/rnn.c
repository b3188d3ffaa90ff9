#include <math.h>
enum { T = 4, I = 2, H = 3 };
typedef float vec_h[H];
float rnn(const float x[T][I], const float Wx[H][I], const float Wh[H][H], const vec_h b, const vec_h y)
{
    float h[2][H];
    float loss = 0.0f;
#pragma scop
    for (int j = 0; j < H; j++) h[0][j] = 0.0f;
    for (int t = 0; t < T; t++)
        for (int j = 0; j < H; j++) {
            float a = b[j];
            for (int i = 0; i < I; i++) a += Wx[j][i] * x[t][i];
            for (int k = 0; k < H; k++) a += Wh[j][k] * h[t % 2][k];
            h[(t + 1) % 2][j] = tanhf(a);
        }
    for (int j = 0; j < H; j++) {
        float d = h[T % 2][j] - y[j];
        loss += d * d;
    }
#pragma endscop
    return loss;
}
