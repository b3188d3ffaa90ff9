void decay(int n, double r, double y[n])
{
    int i;
#pragma scop
    i = 1;
    while (i < n) {
        y[i] = y[i] + r * y[i - 1];
        i++;
    }
#pragma endscop
}
