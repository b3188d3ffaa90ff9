#include <math.h>

static inline double smooth(double before, double here, double after)
{
    return 0.25 * before + 0.5 * here + 0.25 * after;
}

static inline double magnitude(double dx, double dy)
{
    double square = dx * dx + dy * dy;
    return sqrt(square + 1e-3);
}

/* Blur along rows and columns, with edges repeated, and how steep the result is inside. */
void image_pipeline(int h, int w, const double image[h][w], double steep[h][w])
{
    double rows[h][w], blurred[h][w];

#pragma scop
    for (int i = 0; i < h; i++)
        for (int j = 0; j < w; j++)
            rows[i][j] = smooth(image[i][j > 0 ? j - 1 : 0], image[i][j], image[i][j < w - 1 ? j + 1 : w - 1]);

    for (int i = 0; i < h; i++) {
        int up = i > 0 ? i - 1 : 0;
        int down = i < h - 1 ? i + 1 : h - 1;
        for (int j = 0; j < w; j++)
            blurred[i][j] = smooth(rows[up][j], rows[i][j], rows[down][j]);
    }

    for (int i = 0; i < h; i++)
        for (int j = 0; j < w; j++)
            if (i == 0 || j == 0 || i == h - 1 || j == w - 1)
                steep[i][j] = 0;
            else
                steep[i][j] = magnitude(0.5 * (blurred[i][j + 1] - blurred[i][j - 1]),
                                        0.5 * (blurred[i + 1][j] - blurred[i - 1][j]));
#pragma endscop
}
