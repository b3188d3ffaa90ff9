void interleave(int n, const double *re, const double *im, double *out)
{
    int i = 0, k = 0;
#pragma scop
    while (i < n) {
        out[k++] = re[i] * 3;
        out[k++] = im[i++] * re[0];
    }
#pragma endscop
}
