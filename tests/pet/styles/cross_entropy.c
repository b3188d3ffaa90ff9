#include <math.h>
void cross_entropy(int B, int T, int V, const float *probs, const int *targets, float *losses)
{
    for (int b = 0; b < B; b++) {
        for (int t = 0; t < T; t++) {
            const float *p = probs + b * T * V + t * V;
            int ix = targets[b * T + t];
            losses[b * T + t] = -logf(p[ix]);
        }
    }
}
