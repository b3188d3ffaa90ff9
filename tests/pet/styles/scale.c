#define N 5
static const double gain = 2.5;
enum { WIDTH = 3 };
const int offset[WIDTH] = { 0, 1, 2 };
void scale(const double x[N + 2], double y[N])
{
#pragma scop
    for (int i = 0; i < N; i++) {
        y[i] = 0;
        for (int k = 0; k < WIDTH; k++)
            y[i] += gain * x[i + offset[k]];
    }
#pragma endscop
}
