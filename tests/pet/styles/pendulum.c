#include <math.h>
void pendulum(int steps, double g, double *theta, double *omega)
{
    const double dt = 0.01;
#pragma scop
    for (int s = 0; s < steps; s++) {
        *omega -= dt * g * sin(*theta);
        *theta += dt * (*omega);
    }
#pragma endscop
}
