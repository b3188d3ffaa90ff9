#include <math.h>

/*
 * Soft dynamic time warping of two sequences of points: cost[i][j] is the squared distance of x[i] and y[j] plus the
 * soft minimum, -gamma log(sum exp(-c / gamma)), of the costs c of the three ways to come there.
 */
void soft_dtw(int n, int m, int D, double gamma, const double x[n][D], const double y[m][D],
              double cost[n + 1][m + 1], double loss[1])
{
    double distance, left, up, both, least;

#pragma scop
    cost[0][0] = 0;
    for (int i = 1; i <= n; i++)
        cost[i][0] = 1e10;
    for (int j = 1; j <= m; j++)
        cost[0][j] = 1e10;
    for (int i = 1; i <= n; i++)
        for (int j = 1; j <= m; j++) {
            distance = 0;
            for (int d = 0; d < D; d++)
                distance += (x[i - 1][d] - y[j - 1][d]) * (x[i - 1][d] - y[j - 1][d]);
            left = cost[i][j - 1];
            up = cost[i - 1][j];
            both = cost[i - 1][j - 1];
            least = fmin(fmin(left, up), both);
            cost[i][j] = distance + least
                         - gamma * log(exp((least - left) / gamma) + exp((least - up) / gamma)
                                       + exp((least - both) / gamma));
        }
    loss[0] = cost[n][m];
#pragma endscop
}
