/* The two products of a biconjugate gradient step in one pass over A: s = A' r, q = A p. */
void bicg(int n, int m, const double A[restrict n][m], const double p[restrict m], const double r[restrict n],
          double s[restrict m], double q[restrict n])
{
#pragma scop
    for (int j = 0; j < m; j++)
        s[j] = 0;
    for (int i = 0; i < n; i++) {
        q[i] = 0;
        for (int j = 0; j < m; j++) {
            s[j] = s[j] + r[i] * A[i][j];
            q[i] = q[i] + A[i][j] * p[j];
        }
    }
#pragma endscop
}
