void backwards(unsigned n, const float *x, float *y)
{
    unsigned k = n;
    float s = 0;
#pragma scop
    do {
        if (k == 0)
            break;
        k--;
        s = 0.5f * s + x[k];
        y[k] = s * s;
    } while (k != 0);
#pragma endscop
}
