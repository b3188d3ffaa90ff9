/* Gradients of a dense layer: the pointers of both nests have the same names, and a maximum is called max. */
void two_passes(double *dx, double *dw, double *most, const double *dy, const double *x, const double *w, int B, int C, int D)
{
    for (int b = 0; b < B; b++) {
        const double *dy_b = dy + b * D;
        double *dx_b = dx + b * C;
        for (int o = 0; o < D; o++) {
            const double *row = w + o * C;
            double d = dy_b[o];
            for (int i = 0; i < C; i++)
                dx_b[i] += row[i] * d;
        }
    }
    for (int o = 0; o < D; o++) {
        for (int b = 0; b < B; b++) {
            const double *dy_b = dy + b * D;
            const double *x_b = x + b * C;
            double *row = dw + o * C;
            double d = dy_b[o];
            for (int i = 0; i < C; i++)
                row[i] += x_b[i] * d;
        }
    }
    double max = dy[0];
    for (int i = 1; i < D; i++)
        if (dy[i] > max) max = dy[i];
    most[0] = max;
}
