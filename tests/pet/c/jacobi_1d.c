/* Averages of three neighbours, steps times, from A to B and back. */
void jacobi_1d(int steps, int n, double A[n], double B[n])
{
    int t, i;
#pragma scop
    for (t = 0; t < steps; t++) {
        for (i = 1; i < n - 1; i++)
            B[i] = (A[i - 1] + A[i] + A[i + 1]) / 3;
        for (i = 1; i < n - 1; i++)
            A[i] = (B[i - 1] + B[i] + B[i + 1]) / 3;
    }
#pragma endscop
}
