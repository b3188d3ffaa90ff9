/* Three levels of time in arrays of the function's own, which change places in turn. */
void three_levels(int steps, const double u[6], const double *c, double out[6])
{
    double first[6], second[6], third[6];
    double *before = first, *now = second, *next = third;
    for (int i = 0; i < 6; i++) {
        before[i] = u[i];
        now[i] = 0.5 * u[i];
        next[i] = 0.0;
    }
    for (int t = 0; t < steps; t++) {
        for (int i = 1; i < 5; i++)
            next[i] = 2 * now[i] - before[i] + c[0] * (now[i - 1] - 2 * now[i] + now[i + 1]);
        double *t0 = before;
        before = now;
        now = next;
        next = t0;
    }
    for (int i = 0; i < 6; i++)
        out[i] = now[i] + before[i];
}
