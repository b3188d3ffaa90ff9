/* Diffusion with a source; two rows take turns, and the last one is copied out. */
void double_buffer(int steps, int n, double rate, const double start[n], const double source[n], double end[n])
{
    double u[2][n];

#pragma scop
    for (int i = 0; i < n; i++) {
        u[0][i] = start[i];
        u[1][i] = start[i];
    }
    for (int t = 0; t < steps; t++)
        for (int i = 1; i < n - 1; i++)
            u[(t + 1) % 2][i] = u[t % 2][i] + source[i]
                                + rate * (u[t % 2][i - 1] - 2 * u[t % 2][i] + u[t % 2][i + 1]);
    for (int i = 0; i < n; i++)
        end[i] = u[steps % 2][i];
#pragma endscop
}
