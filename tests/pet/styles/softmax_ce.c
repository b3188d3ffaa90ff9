#include <math.h>
#define MAX(a, b) ((a) > (b) ? (a) : (b))
void softmax_ce(int n, int k, const double z[n][k], const int lab[n], double loss[1])
{
    double p[n][k];
    double total = 0.0;
#pragma scop
    for (int i = 0; i < n; i++) {
        double mx = z[i][0], sum = 0.0;
        for (int j = 1; j < k; j++) mx = MAX(mx, z[i][j]);
        for (int j = 0; j < k; j++) { p[i][j] = exp(z[i][j] - mx); sum += p[i][j]; }
        for (int j = 0; j < k; j++) p[i][j] /= sum;
        total -= log(p[i][lab[i]]);
    }
    loss[0] = total;
#pragma endscop
}
