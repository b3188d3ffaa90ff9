/* A[r][q][:] = A[r][q][:] C, in place, a row at a time. */
void doitgen(int R, int Q, int P, double A[R][Q][P], const double C[P][P])
{
#pragma scop
    for (int r = 0; r < R; r++)
        for (int q = 0; q < Q; q++) {
            double row[P];
            for (int p = 0; p < P; p++) {
                row[p] = 0;
                for (int s = 0; s < P; s++)
                    row[p] += A[r][q][s] * C[s][p];
            }
            for (int p = 0; p < P; p++)
                A[r][q][p] = row[p];
        }
#pragma endscop
}
