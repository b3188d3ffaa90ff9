/* A step on a box with a frame, whose planes are (ny + 2) (nz + 2) cells apart. */
void box(int nx, int ny, int nz, double *u, const double *f)
{
    for (int i = 1; i <= nx; i++)
        for (int j = 1; j <= ny; j++)
            for (int k = 1; k <= nz; k++)
                u[(i * (ny + 2) + j) * (nz + 2) + k] =
                    0.5 * u[((i - 1) * (ny + 2) + j) * (nz + 2) + k] + 0.25 * u[(i * (ny + 2) + j - 1) * (nz + 2) + k]
                    + f[((i - 1) * ny + j - 1) * nz + k - 1];
}
