#define PHASES 3

/*
 * A filter of PHASES * K taps that keeps every third sample, as three short filters, one for each phase; then the way
 * back to the full rate, held between samples, and the power of each phase.
 */
void spectral_filter(int n, int K, const double x[PHASES * (n + K)], const double taps[PHASES * K], double y[n],
                     double held[PHASES * n], double power[PHASES])
{
#pragma scop
    for (int i = 0; i < n; i++)
        y[i] = 0;
    for (int p = 0; p < PHASES; p++) {
        power[p] = 0;
        for (int i = 0; i < n; i++) {
            double phase = 0;
            for (int k = 0; k < K; k++)
                phase += taps[PHASES * k + p] * x[PHASES * (i + k) + p];
            y[i] += phase;
            power[p] += phase * phase;
        }
    }
    for (int i = 0; i < PHASES * n; i += PHASES)
        for (int p = 0; p < PHASES; p++)
            held[i + p] = y[i / PHASES];
#pragma endscop
}
