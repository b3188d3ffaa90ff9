/* Two arrays of the caller that change places in each step. */
void swapped(int steps, int n, double a[n], double b[n], double *out)
{
    double *now = a, *then = b, *spare;
    for (int t = 0; t < steps; t++) {
        then[0] = now[0] + 0.5 * then[0];
        for (int i = 1; i < n - 1; i++)
            then[i] = 0.25 * (now[i - 1] + 2 * now[i] + now[i + 1]);
        then[n - 1] = now[n - 1];
        spare = now;
        now = then;
        then = spare;
    }
    for (int i = 0; i < n; i++)
        out[i] = now[i] - 2 * then[i];
}
