#define BATCH 2
#define IN 3
#define OUT 2
#define SIZE 6
#define KERNEL 3
#define STRIDE 2

/* A layer of a convolutional network, of a fixed size, with padding of one and a rectifier. */
void conv_2d(const double image[BATCH][IN][SIZE][SIZE], const double weight[OUT][IN][KERNEL][KERNEL],
             const double bias[OUT], double out[BATCH][OUT][SIZE / STRIDE][SIZE / STRIDE])
{
#pragma scop
    for (int b = 0; b < BATCH; b++)
        for (int o = 0; o < OUT; o++)
            for (int y = 0; y < SIZE / STRIDE; y++)
                for (int x = 0; x < SIZE / STRIDE; x++) {
                    double sum = bias[o];
                    for (int c = 0; c < IN; c++)
                        for (int ky = 0; ky < KERNEL; ky++)
                            for (int kx = 0; kx < KERNEL; kx++) {
                                int row = STRIDE * y + ky - 1;
                                int column = STRIDE * x + kx - 1;
                                if (row >= 0 && row < SIZE && column >= 0 && column < SIZE)
                                    sum += image[b][c][row][column] * weight[o][c][ky][kx];
                            }
                    out[b][o][y][x] = sum > 0 ? sum : 0;
                }
#pragma endscop
}
