/* three time levels in turn */
void wave(int T, int n, double c2, double u[3][n])
{
#pragma scop
    for (int t = 2; t < T; t++)
        for (int i = 1; i < n - 1; i++)
            u[t % 3][i] = 2 * u[(t + 2) % 3][i] - u[(t + 1) % 3][i]
                          + c2 * (u[(t + 2) % 3][i + 1] - 2 * u[(t + 2) % 3][i] + u[(t + 2) % 3][i - 1]);
#pragma endscop
}
