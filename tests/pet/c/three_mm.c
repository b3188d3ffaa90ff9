#define N 3
#define M 4
#define K 5
#define L 2

/* G = (A B) (C D), of fixed sizes. */
void three_mm(double A[N][K], double B[K][M], double C[M][K], double D[K][L], double G[N][L])
{
    double E[N][M], F[M][L];
    int i, j, k;

#pragma scop
    for (i = 0; i < N; i++)
        for (j = 0; j < M; j++) {
            E[i][j] = 0.0;
            for (k = 0; k < K; ++k)
                E[i][j] += A[i][k] * B[k][j];
        }
    for (i = 0; i < M; i++)
        for (j = 0; j < L; j++) {
            F[i][j] = 0.0;
            for (k = 0; k < K; ++k)
                F[i][j] += C[i][k] * D[k][j];
        }
    for (i = 0; i < N; i++)
        for (j = 0; j < L; j++) {
            G[i][j] = 0.0;
            for (k = 0; k < M; ++k)
                G[i][j] += E[i][k] * F[k][j];
        }
#pragma endscop
}
