/* An assignment as a value, in a condition and in a subscript's place. */
double running(int n, const double x[n], double y[n])
{
    double d, mean = 0, peak = 0;
    int k = -1;
#pragma scop
    for (int i = 0; i < n; i++) {
        y[++k] = mean += x[i] / n;
        if ((d = x[i] - mean) > 0)
            peak += d * d;
    }
#pragma endscop
    return peak;
}
