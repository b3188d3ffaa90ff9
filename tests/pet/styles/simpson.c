#define N 8
/* composite Simpson rule for a cubic */
double simpson(const double p[4], double a, double b)
{
    double h, sum, x;
    int i;
#pragma scop
    h = (b - a) / N;
    sum = p[0] + a * (p[1] + a * (p[2] + a * p[3]));
    for (i = 1; i < N; i++) {
        x = a + i * h;
        if (i % 2)
            sum += 4 * (p[0] + x * (p[1] + x * (p[2] + x * p[3])));
        else
            sum += 2 * (p[0] + x * (p[1] + x * (p[2] + x * p[3])));
    }
    sum += p[0] + b * (p[1] + b * (p[2] + b * p[3]));
    sum = sum * h / 3;
#pragma endscop
    return sum;
}
