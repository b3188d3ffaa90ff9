#include <math.h>

/* Each edge takes the features of the node at its tail and adds what it makes of them to the node at its head. */
void message_passing(int nodes, int edges, int features, const int tail[edges], const int head[edges],
                     const double weight[edges], const double x[nodes][features], double y[nodes][features])
{
#pragma scop
    for (int v = 0; v < nodes; v++)
        for (int f = 0; f < features; f++)
            y[v][f] = 0;
    for (int e = 0; e < edges; e++)
        for (int f = 0; f < features; f++)
            y[head[e]][f] += weight[e] * tanh(x[tail[e]][f]);
#pragma endscop
}
