void mixed_widths(int n, const float x[n], const double y[n], const float w[n], int k[1], float *s, float *q, double *r, float *p)
{
#pragma scop
    float a = 1, b = 0, c = 1;
    k[0] = 7;
    for (int i = 0; i < n; i++) {
        a += 0.1 * x[i];
        b += x[i] * w[i];
        c *= y[i];
        if (x[i] > 0) b += w[i];
        b += 1.0;
        k[0] += y[i];
        p[i] = 0;
        for (int j = 0; j < n; j++) p[i] -= 1.0 / 3 * x[j];
    }
    *s = a * c; *q = b;
    *r = 0;
    for (int i = 0; i < n; i++) *r += x[i] * w[i];
#pragma endscop
}
