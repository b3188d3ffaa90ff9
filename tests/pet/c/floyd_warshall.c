/* Lengths of the shortest paths between all pairs of nodes; path[i][j] is the length of the edge at first. */
void floyd_warshall(int n, double path[n][n])
{
#pragma scop
    for (int k = 0; k < n; k++)
        for (int i = 0; i < n; i++)
            for (int j = 0; j < n; j++)
                path[i][j] = path[i][j] < path[i][k] + path[k][j] ? path[i][j] : path[i][k] + path[k][j];
#pragma endscop
}
