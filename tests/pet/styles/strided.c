#define STRIDE 2
#define PAD 1
#define DIL 2
/* a convolution that skips, with extents that are quotients, and one without padding */
void strided(int c, int h, int w, const double in[c][h][w], const double k[c][3][3],
             double out[(h + 1) / STRIDE][(w + 1) / STRIDE], double small[(h - 3) / 2 + 1])
{
#pragma scop
    for (int oy = 0; oy < (h + 1) / STRIDE; oy++)
        for (int ox = 0; ox < (w + 1) / STRIDE; ox++) {
            double acc = 0;
            for (int ch = 0; ch < c; ch++)
                for (int ky = 0; ky < 3; ky++) {
                    const int iy = oy * STRIDE - PAD + ky * DIL;
                    if (iy < 0 || iy >= h)
                        continue;
                    for (int kx = 0; kx < 3; kx++) {
                        const int ix = ox * STRIDE - PAD + kx * DIL;
                        if (ix >= 0 && ix < w)
                            acc += k[ch][ky][kx] * in[ch][iy][ix];
                    }
                }
            out[oy][ox] = acc > 0 ? acc : 0.1 * acc;
        }
    for (int i = 0; i < (h - 3) / 2 + 1; i++)
        small[i] = w < 1 || c < 1 ? 0 : in[0][2 * i][0] + in[0][2 * i + 2][0];
#pragma endscop
}
