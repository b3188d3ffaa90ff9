double dot(int n, const double x[], const double y[])
{
    double s = 0;
#pragma scop
    for (int i = 0; i < n; i++)
        s += x[i] * y[i];
#pragma endscop
    return s;
}
