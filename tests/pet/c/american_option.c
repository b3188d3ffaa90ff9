#include <math.h>

/* Price of an American put on a binomial tree, from its leaves down to its root. */
void american_option(int steps, double spot, double strike, double rate, double sigma, double dt, double price[1])
{
    double value[steps + 1];

#pragma scop
    double up = exp(sigma * sqrt(dt));
    double discount = exp(-rate * dt);
    double p = (exp(rate * dt) - 1 / up) / (up - 1 / up);
    for (int i = 0; i <= steps; i++)
        value[i] = fmax(strike - spot * pow(up, 2.0 * i - steps), 0.0);
    for (int t = steps - 1; t >= 0; t--)
        for (int i = 0; i <= t; i++) {
            double hold = discount * (p * value[i + 1] + (1 - p) * value[i]);
            value[i] = fmax(hold, strike - spot * pow(up, 2.0 * i - t));
        }
    price[0] = value[0];
#pragma endscop
}
