/* A wave on a ring: leapfrog steps of u'' = c^2 u_xx, the ends of the array being neighbours. */
void periodic(int steps, int n, double c2, const double start[n], double u[steps + 2][n])
{
#pragma scop
    for (int i = 0; i < n; i++) {
        u[0][i] = start[i];
        u[1][i] = start[i];
    }
    for (int t = 1; t <= steps; t++)
        for (int i = 0; i < n; i++) {
            int left = i == 0 ? n - 1 : i - 1;
            int right = i == n - 1 ? 0 : i + 1;
            u[t + 1][i] = 2 * u[t][i] - u[t - 1][i] + c2 * (u[t][left] - 2 * u[t][i] + u[t][right]);
        }
#pragma endscop
}
