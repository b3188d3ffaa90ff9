/* The mean of each channel of images, and the sum of all elements. */
void channels(const float *x, int batch, int c, int h, int w, float *mean, float *total)
{
    int size = batch * c;
    int i, k;
    for (i = 0; i < size; i++) {
        mean[i] = 0;
        for (k = 0; k < h * w; ++k)
            mean[i] += x[k + h * w * i];
        mean[i] /= h * w;
    }
    total[0] = 0;
    for (i = 0; i < batch * c; i++)
        total[0] += mean[i] * mean[i];
}
