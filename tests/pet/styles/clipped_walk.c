double clipped_walk(int n, const double step[n], double wall)
{
    double place = 0, work = 0;
#pragma scop
    for (int t = 0; t < n; t++) {
        place += step[t];
        if (place > wall)
            return work + wall;
        if (place < -wall)
            return work - wall;
        work += place * place;
    }
    work *= 2;
#pragma endscop
    return work + place;
}
