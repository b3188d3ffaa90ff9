#include <math.h>
#define H 6
#define W 7
#define CLAMP(x, lo, hi) ((x) < (lo) ? (lo) : ((x) > (hi) ? (hi) : (x)))
static const float kern[3][3] = { { 1, 2, 1 }, { 2, 4, 2 }, { 1, 2, 1 } };
static inline float luma(float r, float g, float b) { return 0.299f * r + 0.587f * g + 0.114f * b; }
static inline float gamma_(float v) { return powf(v, 0.45f); }
void pipeline(const float img[3][H][W], float out[H][W])
{
    static float gray[H][W];
#pragma scop
    for (int y = 0; y < H; y++)
        for (int x = 0; x < W; x++)
            gray[y][x] = luma(img[0][y][x] * img[0][y][x], img[1][y][x] * img[1][y][x], img[2][y][x] * img[2][y][x]);
    for (int y = 0; y < H; y++)
        for (int x = 0; x < W; x++) {
            float s = 0;
            for (int dy = -1; dy <= 1; dy++)
                for (int dx = -1; dx <= 1; dx++)
                    if (y + dy >= 0 && y + dy < H && x + dx >= 0 && x + dx < W)
                        s += kern[dy + 1][dx + 1] * gray[y + dy][x + dx];
            out[y][x] = gamma_(s / 16.0f + 0.01f);
        }
#pragma endscop
}
