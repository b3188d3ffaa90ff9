double first_above(int n, const double x[n], double limit)
{
#pragma scop
    for (int i = 0; i < n; i++)
        if (x[i] > limit)
            return x[i] * (i + 1);
#pragma endscop
    return limit * limit;
}
