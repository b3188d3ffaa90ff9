double pointer_loop(int n, const double *x)
{
    double s = 0;
    for (const double *p = x; p < x + n; p++)
        s += *p * *p;
    return s;
}
