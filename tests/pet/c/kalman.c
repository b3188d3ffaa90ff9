#include <math.h>

/*
 * A Kalman filter: states x of n numbers, x' = F x + noise of covariance Q, seen as z = H x + noise of covariance R.
 * The loss is minus the log-likelihood of all that was seen, without its constant. S = H P H' + R is taken apart by
 * Cholesky; gain[i] is the row of P H' S^-1.
 */
void kalman(int T, int n, int m, const double F[n][n], const double Q[n][n], const double H[m][n],
            const double R[m][m], const double z[T][m], const double start[n], double mean[T][n], double loss[1])
{
    double x[n], P[n][n], predicted[n], FP[n][n], PH[n][m], S[m][m], gain[n][m], error[m], solved[m];

#pragma scop
    loss[0] = 0;
    for (int i = 0; i < n; i++) {
        x[i] = start[i];
        for (int j = 0; j < n; j++)
            P[i][j] = i == j ? 1 : 0;
    }

    for (int t = 0; t < T; t++) {
        for (int i = 0; i < n; i++) {
            predicted[i] = 0;
            for (int k = 0; k < n; k++)
                predicted[i] += F[i][k] * x[k];
        }
        for (int i = 0; i < n; i++)
            for (int j = 0; j < n; j++) {
                FP[i][j] = 0;
                for (int k = 0; k < n; k++)
                    FP[i][j] += F[i][k] * P[k][j];
            }
        for (int i = 0; i < n; i++)
            for (int j = 0; j < n; j++) {
                P[i][j] = Q[i][j];
                for (int k = 0; k < n; k++)
                    P[i][j] += FP[i][k] * F[j][k];
            }

        for (int i = 0; i < n; i++)
            for (int j = 0; j < m; j++) {
                PH[i][j] = 0;
                for (int k = 0; k < n; k++)
                    PH[i][j] += P[i][k] * H[j][k];
            }
        for (int i = 0; i < m; i++)
            for (int j = 0; j <= i; j++) {
                S[i][j] = R[i][j];
                for (int k = 0; k < n; k++)
                    S[i][j] += H[i][k] * PH[k][j];
            }
        for (int i = 0; i < m; i++) {
            for (int j = 0; j <= i; j++) {
                for (int k = 0; k < j; k++)
                    S[i][j] -= S[i][k] * S[j][k];
                if (i == j)
                    S[i][i] = sqrt(S[i][i]);
                else
                    S[i][j] /= S[j][j];
            }
        }

        for (int i = 0; i < m; i++) {
            error[i] = z[t][i];
            for (int k = 0; k < n; k++)
                error[i] -= H[i][k] * predicted[k];
            solved[i] = error[i];
            for (int k = 0; k < i; k++)
                solved[i] -= S[i][k] * solved[k];
            solved[i] /= S[i][i];
            loss[0] += log(S[i][i]) + 0.5 * solved[i] * solved[i];
        }
        for (int i = 0; i < n; i++) {
            for (int j = 0; j < m; j++) {
                gain[i][j] = PH[i][j];
                for (int k = 0; k < j; k++)
                    gain[i][j] -= S[j][k] * gain[i][k];
                gain[i][j] /= S[j][j];
            }
            for (int j = m - 1; j >= 0; j--) {
                for (int k = j + 1; k < m; k++)
                    gain[i][j] -= S[k][j] * gain[i][k];
                gain[i][j] /= S[j][j];
            }
        }

        for (int i = 0; i < n; i++) {
            x[i] = predicted[i];
            for (int k = 0; k < m; k++)
                x[i] += gain[i][k] * error[k];
            mean[t][i] = x[i];
            for (int j = 0; j < n; j++)
                for (int k = 0; k < m; k++)
                    P[i][j] -= gain[i][k] * PH[j][k];
        }
    }
#pragma endscop
}
