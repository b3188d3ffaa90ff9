double bisection(double lo, double hi, double c)
{
    int k = 30;
#pragma scop
    while (k > 0 && hi - lo > 1e-5) {
        double mid = 0.5 * (lo + hi);
        if (mid * mid * mid - c > 0) hi = mid; else lo = mid;
        --k;
    }
#pragma endscop
    return 0.5 * (lo + hi) * c;
}
