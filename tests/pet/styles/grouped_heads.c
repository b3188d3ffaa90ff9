/* Several heads of queries share one of keys; what a head looks at is a quotient of its number. */
#pragma polyad multiple heads=groups
void grouped_heads(int steps, int heads, int groups, int width, const double *q, const double *k, const double *bias,
                   double *score)
{
    const int each = heads / groups;
    for (int h = 0; h < heads; h++)
        for (int t = 0; t < steps; t++) {
            double sum = bias[h % each];
            for (int d = 0; d < width; d++)
                sum += q[h * width + d] * k[(t * groups + h / each) * width + d];
            if (sum < 0.0)
                continue;
            score[h * steps + t] = sum * bias[h % each];
        }
}
