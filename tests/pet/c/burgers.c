/* Steps of Burgers' equation; differences are taken on the side the wind comes from, which the data decide. */
void burgers(int steps, int n, double c, double u[n])
{
    double next[n];

#pragma scop
    for (int t = 0; t < steps; t++) {
        for (int i = 1; i < n - 1; i++)
            if (u[i] > 0)
                next[i] = u[i] - c * u[i] * (u[i] - u[i - 1]);
            else
                next[i] = u[i] - c * u[i] * (u[i + 1] - u[i]);
        for (int i = 1; i < n - 1; i++)
            u[i] = next[i];
    }
#pragma endscop
}
