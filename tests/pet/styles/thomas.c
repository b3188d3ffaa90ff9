#include <stdio.h>
#include <stdlib.h>
#pragma polyad memory numbers
#pragma polyad ignore fail, give_back

void fail(const char *text)
{
    fprintf(stderr, "%s\n", text);
    exit(1);
}

double *numbers(unsigned long n)
{
    return malloc(n * sizeof(double));
}

void give_back(double *memory)
{
    free(memory);
}

void thomas(const double *a, const double *b, const double *c, const double *r, double *u, unsigned long n)
{
    unsigned long j;
    double pivot, *gamma;

    if (n < 1) fail("nothing to solve");
    gamma = numbers(n + 1);
    if (b[1] == 0.0) fail("a row of zeros");
    u[1] = r[1] / (pivot = b[1]);
    for (j = 2; j <= n; j++) {
        gamma[j] = c[j - 1] / pivot;
        pivot = b[j] - a[j] * gamma[j];
        if (pivot == 0.0)
            fail("a pivot is zero");
        u[j] = (r[j] - a[j] * u[j - 1]) / pivot;
    }
    for (j = n - 1; j >= 1; j--)
        u[j] -= gamma[j + 1] * u[j + 1];
    give_back(gamma);
}
