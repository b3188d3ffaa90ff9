#include <math.h>
#define M 4
#define N 6
typedef double DATA_TYPE;
void correlation(int m, int n, DATA_TYPE float_n, DATA_TYPE data[N][M], DATA_TYPE corr[M][M], DATA_TYPE mean[M], DATA_TYPE stddev[M])
{
  int i, j, k;
  DATA_TYPE eps = 0.1;
#pragma scop
  for (j = 0; j < M; j++)
    {
      mean[j] = 0.0;
      for (i = 0; i < N; i++)
	mean[j] += data[i][j];
      mean[j] /= float_n;
    }
   for (j = 0; j < M; j++)
    {
      stddev[j] = 0.0;
      for (i = 0; i < N; i++)
        stddev[j] += (data[i][j] - mean[j]) * (data[i][j] - mean[j]);
      stddev[j] /= float_n;
      stddev[j] = sqrt(fabs(stddev[j]));
      /* The following in an inelegant but usual way to handle
         near-zero std. dev. values, which below would cause a zero-
         divide. */
      stddev[j] = stddev[j] <= eps ? 1.0 : stddev[j];
    }
  /* Center and reduce the column vectors. */
  for (i = 0; i < N; i++)
    for (j = 0; j < M; j++)
      {
        data[i][j] -= mean[j];
        data[i][j] /= sqrt(fabs(float_n)) * stddev[j];
      }
  /* Calculate the m * m correlation matrix. */
  for (i = 0; i < M-1; i++)
    {
      corr[i][i] = 1.0;
      for (j = i+1; j < M; j++)
        {
          corr[i][j] = 0.0;
          for (k = 0; k < N; k++)
            corr[i][j] += (data[k][i] * data[k][j]);
          corr[j][i] = corr[i][j];
        }
    }
  corr[M-1][M-1] = 1.0;
#pragma endscop
}
