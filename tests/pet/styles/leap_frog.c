void leap_frog(int steps, double h, double x[1], double v[1])
{
    double a;
#pragma scop
    while (steps-- > 0) {
        v[0] += h * (a = -x[0] * x[0] * x[0]);
        x[0] += h * v[0], v[0] *= 1 - h * 0.1;
    }
#pragma endscop
}
