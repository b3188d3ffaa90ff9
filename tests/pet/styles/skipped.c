double skipped(int n, const double x[n])
{
    double s = 0;
    int i = -1;
#pragma scop
    while (++i < n) {
        if (x[i] < 0)
            continue;
        s += x[i] * x[i];
    }
#pragma endscop
    return s;
}
