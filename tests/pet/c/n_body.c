#include <math.h>

/* Bodies that attract each other: velocities, then places, are changed in each step. */
void n_body(int steps, int n, double dt, const double mass[n], double place[n][3], double velocity[n][3])
{
#pragma scop
    for (int t = 0; t < steps; t++) {
        for (int i = 0; i < n; i++)
            for (int j = 0; j < n; j++) {
                if (i == j)
                    continue;
                double square = 0.01;
                for (int d = 0; d < 3; d++)
                    square += (place[j][d] - place[i][d]) * (place[j][d] - place[i][d]);
                double pull = mass[j] / (square * sqrt(square));
                for (int d = 0; d < 3; d++)
                    velocity[i][d] += dt * pull * (place[j][d] - place[i][d]);
            }
        for (int i = 0; i < n; i++)
            for (int d = 0; d < 3; d++)
                place[i][d] += dt * velocity[i][d];
    }
#pragma endscop
}
