double forever(int n, const double w[n])
{
    int t = 0;
    double s = 1;
#pragma scop
    for (;;) {
        if (t >= n || s > 50)
            break;
        s = s * 1.5 + w[t] * w[t];
        t++;
    }
#pragma endscop
    return s * s;
}
