/* A source is added to all cells of a grid with a frame. */
void all_cells(int N, int M, double *x, const double *s, double dt)
{
    int i, size = (N + 2) * (M + 2);
    for (i = 0; i < size; i++)
        x[i] += dt * s[i];
}
