/* Gauss-Seidel steps on a grid with a frame of cells around it. */
#define AT(i, j) ((i) + (N + 2) * (j))

static void frame(int N, int b, double *x)
{
    int i;
    for (i = 1; i <= N; i++) {
        x[AT(0, i)] = b == 1 ? -x[AT(1, i)] : x[AT(1, i)];
        x[AT(N + 1, i)] = b == 1 ? -x[AT(N, i)] : x[AT(N, i)];
        x[AT(i, 0)] = b == 2 ? -x[AT(i, 1)] : x[AT(i, 1)];
        x[AT(i, N + 1)] = b == 2 ? -x[AT(i, N)] : x[AT(i, N)];
    }
    x[AT(0, 0)] = 0.5 * (x[AT(1, 0)] + x[AT(0, 1)]);
    x[AT(N + 1, N + 1)] = 0.5 * (x[AT(N, N + 1)] + x[AT(N + 1, N)]);
}

void ghosts(int N, int b, double a, double *x, const double *x0)
{
    int i, j, k;
    for (k = 0; k < 2; k++) {
        for (i = 1; i <= N; i++)
            for (j = 1; j <= N; j++)
                x[AT(i, j)] = (x0[AT(i, j)] + a * (x[AT(i - 1, j)] + x[AT(i + 1, j)] + x[AT(i, j - 1)] + x[AT(i, j + 1)]))
                              / (1 + 4 * a);
        frame(N, b, x);
    }
}
