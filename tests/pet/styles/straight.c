#include <math.h>
void straight(const double p[2], double *r, double *phi)
{
    double s = p[0] * p[0] + p[1] * p[1];
    *r = sqrt(s);
    *phi = p[1] / (1.0 + s);
}
