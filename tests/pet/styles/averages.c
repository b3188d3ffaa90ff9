void averages(const double *data, unsigned long n, double *mean, double *variance)
{
    unsigned long j;
    double s, ep;
    for (*mean = 0.0, j = 1; j <= n; j++)
        *mean += data[j];
    *mean /= n;
    *variance = ep = 0.0;
    for (j = 1; j <= n; j++) {
        s = data[j] - *mean;
        ep += s;
        *variance += s * s;
    }
    *variance = (*variance - ep * ep / n) / (n - 1);
}
