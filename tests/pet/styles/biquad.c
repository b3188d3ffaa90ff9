void biquad(int n, const double b[3], const double a[2], const double x[n], double y[n])
{
    double z1 = 0.0, z2 = 0.0;
#pragma scop
    for (int i = 0; i < n; ++i) {
        double in = x[i];
        double out = b[0] * in + z1;
        z1 = b[1] * in - a[0] * out + z2;
        z2 = b[2] * in - a[1] * out;
        y[i] = out;
    }
#pragma endscop
}
