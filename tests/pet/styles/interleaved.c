/* Rows of two arrays side by side, and half of them back. */
void interleaved(int nx, const double *x, int ny, const double *y, int rows, double *out, double *back)
{
    int i, j, index = 0;
    for (j = 0; j < rows; ++j) {
        for (i = 0; i < nx; ++i)
            out[index++] = 2 * x[j * nx + i];
        for (i = 0; i < ny; ++i)
            out[index++] = y[j * ny + i] * y[j * ny + i];
    }
    for (j = 0; j < rows; ++j)
        for (i = 0; i < nx; ++i)
            back[j * nx + i] = out[j * (nx + ny) + i];
}
