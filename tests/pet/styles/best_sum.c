float best_sum(unsigned n, const float x[n])
{
    float best = x[0], cur = x[0];
#pragma scop
    for (unsigned i = 1; i < n; i++) {
        cur = (cur + x[i] > x[i]) ? cur + x[i] : x[i];
        best = (cur > best) ? cur : best;
    }
#pragma endscop
    return best;
}
