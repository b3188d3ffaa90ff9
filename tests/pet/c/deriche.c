#include <math.h>

/* Recursive smoothing after Deriche: along rows from both sides, added up, then along columns. */
void deriche(int w, int h, double alpha, const double image[w][h], double out[w][h])
{
    double y1[w][h], y2[w][h];
    double k, a1, a2, a3, a4, b1, b2, c1;
    double xm1, xp1, xp2, ym1, ym2, yp1, yp2;
    int i, j;

#pragma scop
    k = (1.0 - exp(-alpha)) * (1.0 - exp(-alpha)) / (1.0 + 2.0 * alpha * exp(-alpha) - exp(-2.0 * alpha));
    a1 = k;
    a2 = k * exp(-alpha) * (alpha - 1.0);
    a3 = k * exp(-alpha) * (alpha + 1.0);
    a4 = -k * exp(-2.0 * alpha);
    b1 = pow(2.0, -alpha);
    b2 = -exp(-2.0 * alpha);
    c1 = 1;

    for (i = 0; i < w; i++) {
        ym1 = 0.0;
        ym2 = 0.0;
        xm1 = 0.0;
        for (j = 0; j < h; j++) {
            y1[i][j] = a1 * image[i][j] + a2 * xm1 + b1 * ym1 + b2 * ym2;
            xm1 = image[i][j];
            ym2 = ym1;
            ym1 = y1[i][j];
        }
    }
    for (i = 0; i < w; i++) {
        yp1 = 0.0;
        yp2 = 0.0;
        xp1 = 0.0;
        xp2 = 0.0;
        for (j = h - 1; j >= 0; j--) {
            y2[i][j] = a3 * xp1 + a4 * xp2 + b1 * yp1 + b2 * yp2;
            xp2 = xp1;
            xp1 = image[i][j];
            yp2 = yp1;
            yp1 = y2[i][j];
        }
    }
    for (i = 0; i < w; i++)
        for (j = 0; j < h; j++)
            out[i][j] = c1 * (y1[i][j] + y2[i][j]);
    for (j = 0; j < h; j++) {
        ym1 = 0.0;
        ym2 = 0.0;
        for (i = 0; i < w; i++) {
            y1[i][j] = a1 * out[i][j] + b1 * ym1 + b2 * ym2;
            ym2 = ym1;
            ym1 = y1[i][j];
        }
    }
    for (i = 0; i < w; i++)
        for (j = 0; j < h; j++)
            out[i][j] = c1 * y1[i][j];
#pragma endscop
}
