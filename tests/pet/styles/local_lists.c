static const int off[3] = { -1, 0, +1 };

void local_lists(int n, const double x[n], double y[n])
{
    double v[3] = { x[0], 2 * x[1] };
    y[n - 1] = 3;
#pragma scop
    for (int i = 1; i < n - 1; i++) {
        const double k[3] = { 1.0, -2.0, x[i] };
        double c[2][2] = { { 1, 2 }, { 3 } };
        y[i] = v[0] * y[i] + v[1] * v[1] + c[1][0] + c[0][1];
        for (int j = 0; j < 3; j++) y[i] += k[j] * x[i + off[j]];
    }
#pragma endscop
}
