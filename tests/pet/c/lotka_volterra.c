/* Prey and predators, by steps of the midpoint rule, and how far they are from what was counted. */
void lotka_volterra(int steps, double dt, double birth, double hunt, double gain, double death, double prey,
                    double predators, const double counted[steps][2], double *loss)
{
    double middle_prey, middle_predators;

#pragma scop
    loss[0] = 0.0;
    for (int t = 0; t < steps; t++) {
        middle_prey = prey + 0.5 * dt * (birth * prey - hunt * prey * predators);
        middle_predators = predators + 0.5 * dt * (gain * prey * predators - death * predators);
        prey += dt * (birth * middle_prey - hunt * middle_prey * middle_predators);
        predators += dt * (gain * middle_prey * middle_predators - death * middle_predators);
        loss[0] += (prey - counted[t][0]) * (prey - counted[t][0])
                   + (predators - counted[t][1]) * (predators - counted[t][1]);
    }
#pragma endscop
}
