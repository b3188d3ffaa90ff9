#define AT(a, i, j) a[(i) * w + (j)]
/* a blur of rows by a plain pointer, then borders that copy their neighbours, as in codes for heat */
void clamped(int h, int w, const float *src, float *dst)
{
#pragma scop
    for (int y = 0; y < h; y++)
        for (int x = 0; x < w; x++) {
            int xm = x > 0 ? x - 1 : 0;
            int xp = x < w - 1 ? x + 1 : w - 1;
            AT(dst, y, x) = 0.25f * AT(src, y, xm) + 0.5f * src[y * w + x / 2] + 0.25f * AT(src, (y < 2 ? 0 : y - 2), xp);
        }
    for (int y = 0; y < h; y++)
        dst[y * w + w - 1] = dst[y * w + w - 2];
    for (int x = 0; x < w; x++)
        AT(dst, h - 1, x) = AT(dst, h - 2, x);
#pragma endscop
}
