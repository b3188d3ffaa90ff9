/* The place where a loop ended is part of what is returned. */
double last_place(int n, const double x[n], double limit)
{
    double s = 0;
    int i = 0;
#pragma scop
    while (i < n) {
        s += x[i] * x[i];
        if (s > limit)
            break;
        i++;
    }
#pragma endscop
    return s * (i + 1);
}
