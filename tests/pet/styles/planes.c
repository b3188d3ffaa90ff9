#pragma polyad noalias v
double planes(int p, int n, int m, const float ***v)
{
    float s = 0.0f;
    for (int k = 0; k < p; k++)
        for (int i = 0; i < n; i++)
            for (int j = 0; j < m; j++)
                s += v[k][i][j] * v[k][i][j];
    return s;
}
