double labelled(int n, const double p[n], const char *label, const short *weight)
{
    double s = 0;
#pragma scop
    for (int i = 0; i < n; i++) {
        double d = label[i] > 0 ? 1 - p[i] : p[i];
        s += d * d * weight[i];
    }
#pragma endscop
    return s;
}
