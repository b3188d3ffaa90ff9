/* How far a price is below its highest so far, and the worst of it. */
void drawdown(int n, const double price[n], double drop[n], double *worst)
{
    double peak;

#pragma scop
    peak = price[0];
    worst[0] = 0;
    for (int i = 0; i < n; i++) {
        if (price[i] > peak)
            peak = price[i];
        drop[i] = peak - price[i];
        if (drop[i] > worst[0])
            worst[0] = drop[i];
    }
#pragma endscop
}
