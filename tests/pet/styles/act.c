static double leaky(double v, double slope)
{
    if (v > 0)
        return v;
    else
        return slope * v;
}
static double hard(double v)
{
    if (v < -1.0)
        return -1.0;
    if (v > 1.0)
        return 1.0;
    return v;
}
void act(int n, double slope, const double x[n], double y[n])
{
#pragma scop
    for (int i = 0; i < n; i++)
        y[i] = leaky(x[i], slope) * hard(x[i] * 0.7);
#pragma endscop
}
