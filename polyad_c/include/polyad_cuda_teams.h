/*
 * polyad_cuda_teams.h: blocks that run the steps of a recurrence together, and the products of their steps.
 *
 * A team is a cluster of blocks, where the device has clusters and the host has asked for them; else it is one block.
 */
#ifndef POLYAD_CUDA_TEAMS_H
#define POLYAD_CUDA_TEAMS_H

#define PA_DEVICE static __device__ __forceinline__

/* The team of this block. */
struct pa_team {
    int64_t member, members; /* the block is one of so many */
    int64_t number, count;   /* the team is one of so many */
    unsigned int *meetings;  /* of a team that counts: how many blocks have come, to all meetings together */
    unsigned int due;        /* how many have when the last one has been over */
};

PA_DEVICE pa_team pa_team_of(unsigned int *meetings, int64_t blocks)
{
    pa_team team = {0, 1, (int64_t)blockIdx.x, (int64_t)gridDim.x, NULL, 0};
    unsigned int member = 0, members = 1;
#if defined(__CUDA_ARCH__) && __CUDA_ARCH__ >= 900
    asm("mov.u32 %0, %%cluster_ctarank;" : "=r"(member));
    asm("mov.u32 %0, %%cluster_nctarank;" : "=r"(members));
#endif
    team.member = (int64_t)member;
    team.members = (int64_t)members;
    if (blocks > 1) {
        team.member = (int64_t)blockIdx.x % blocks;
        team.members = blocks;
        team.meetings = meetings + 32 * ((int64_t)blockIdx.x / blocks);
    }
    team.number = (int64_t)blockIdx.x / team.members;
    team.count = (int64_t)gridDim.x / team.members;
    return team;
}

/* What each thread of the team wrote before, all can read behind. */
PA_DEVICE void pa_team_meet(pa_team &team)
{
    if (team.members == 1) {
        __syncthreads();
    } else if (team.meetings == NULL) {
#if defined(__CUDA_ARCH__) && __CUDA_ARCH__ >= 900
        asm volatile("barrier.cluster.arrive.release.aligned;" ::: "memory");
        asm volatile("barrier.cluster.wait.acquire.aligned;" ::: "memory");
#endif
    } else {
        team.due += (unsigned int)team.members;
        __syncthreads();
        if (threadIdx.x == 0) {
            __threadfence();
            asm volatile("red.release.gpu.global.add.u32 [%0], 1;" ::"l"(team.meetings) : "memory");
            unsigned int come;
            do {
                asm volatile("ld.acquire.gpu.global.u32 %0, [%1];" : "=r"(come) : "l"(team.meetings) : "memory");
            } while ((int)(come - team.due) < 0);
            __threadfence();
        }
        __syncthreads();
    }
}

/* A launch of teams: clusters of blocks, or so many blocks together that count in memory, which run at the same time. */
#define PA_TEAM(meetings, blocks) pa_team pa_own = pa_team_of(meetings, blocks);
/* The same where one team does all, which the first one does; there are several where blocks that the host took for a cluster
 * are none. */
#define PA_LONE_TEAM(meetings, blocks)  \
    PA_TEAM(meetings, blocks)           \
    if (pa_own.number > 0) return;
#define PA_TEAM_THREAD (pa_own.member * (int64_t)blockDim.x + (int64_t)threadIdx.x)
#define PA_TEAM_THREADS (pa_own.members * (int64_t)blockDim.x)
#define PA_TEAM_MEET pa_team_meet(pa_own);
/* Iterations that blocks of a team have, whose threads share each of them. */
#define PA_TEAM_BLOCK (pa_own.member)
#define PA_TEAM_BLOCKS (pa_own.members)

/* The part of a team of the iterations from low to high, first and last: as many as all others have, or fewer. */
PA_DEVICE int64_t pa_first_of(const pa_team &team, int64_t low, int64_t high)
{
    return low + team.number * ((high - low + team.count) / team.count);
}
PA_DEVICE int64_t pa_last_of(const pa_team &team, int64_t low, int64_t high)
{
    const int64_t last = pa_first_of(team, low, high) + (high - low + team.count) / team.count - 1;
    return last < high ? last : high;
}
#define pa_team_first(low, high) pa_first_of(pa_own, low, high)
#define pa_team_last(low, high) pa_last_of(pa_own, low, high)

/* The shared memory that the host has asked for: rooms in it keep operands that are the same in all steps. */
struct pa_stay {
    void *at;   /* where the operand stands; NULL where there is no room for it */
    bool asked; /* it has been looked for */
};
struct pa_rooms {
    char *next;
    int64_t left;
};
PA_DEVICE pa_rooms pa_all_rooms(void)
{
    extern __shared__ double pa_memory[];
    unsigned int bytes;
    asm volatile("mov.u32 %0, %%dynamic_smem_size;" : "=r"(bytes));
    pa_rooms rooms = {(char *)pa_memory, (int64_t)bytes};
    return rooms;
}
#define PA_ROOMS(count)              \
    pa_rooms pa_free = pa_all_rooms(); \
    pa_stay pa_kept[count] = {};
#define PA_KEPT(number) &pa_free, &pa_kept[number]
#define PA_PASSING (pa_rooms *)NULL, (pa_stay *)NULL

/* A product at work: a sum has eight parts, each of every eighth four of terms, which eight lanes of a warp have; the warp
 * has four columns, or eight, of one row or four. Terms are added up in the type of the operands, 32 of them, these sums
 * in double, and parts in pairs. Both operands stand in shared memory, by columns and by rows, terms side by side; where
 * there is too little of it for all terms, piece by piece. */
#define PA_STEP_PARTS 8
#define PA_STEP_FOURS 64 /* of 256 terms, 32 for each part */
#define PA_STEP_ROWS_AT_ONCE 4
#define PA_STEP_WARPS 16 /* that have columns */
struct pa_step_memory {
    double rows[3072];
    double columns[2304]; /* 64 columns of 32 terms in double, 128 in float, each with four more behind */
};
PA_DEVICE pa_step_memory *pa_step_space(void)
{
    __shared__ pa_step_memory memory;
    return &memory;
}

template <typename T>
struct __align__(16) pa_four {
    T of[4];
};

/* Terms k0 to k1 - 1 of some lines of an operand, zeros up to a multiple of four; four places are free behind each line, so
 * that lines begin in different banks. `beside`: lines lie side by side where they come from, not terms. */
template <typename T, typename At>
PA_DEVICE void pa_step_stage(T *memory, int stride, int lines, int k0, int k1, bool beside, const At &at)
{
    const unsigned int width = (unsigned int)(k1 - k0 + 3) / 4 * 4, count = (unsigned int)lines * width;
    for (unsigned int e0 = threadIdx.x; e0 < count; e0 += 4 * blockDim.x) {
        T loaded[4];
        int places[4];
        PA_UNROLL_BY(4)
        for (unsigned int u = 0; u < 4; ++u) {
            const unsigned int e = e0 + u * blockDim.x, short_side = beside ? (unsigned int)lines : width;
            const int line = (int)(beside ? e % short_side : e / short_side), k = (int)(beside ? e / short_side : e % short_side);
            places[u] = line * stride + k;
            loaded[u] = e < count && k0 + k < k1 ? at(line, k0 + k) : (T)0;
        }
        PA_UNROLL_BY(4)
        for (unsigned int u = 0; u < 4; ++u)
            if (e0 + u * blockDim.x < count) memory[places[u]] = loaded[u];
    }
}

/* Terms from k0 to k1 - 1 of a part of the sums of some rows and columns: fours part, part + 8, ...; of 256 terms together,
 * those of a part are added up in the type of the operands, wherever pieces end. */
template <int count, int wide, typename T>
PA_DEVICE void pa_step_terms(const T *rows, int rows_apart, const T *columns, int columns_apart, int k0, int k1, bool last, int part,
                             T (&sums)[wide][count], double (&totals)[wide][count])
{
    const int fours = (k1 - k0 + 3) / 4, before = k0 / 4 % PA_STEP_FOURS;
    for (int start = 0; start < fours;) {
        const int whole = (start + before) / PA_STEP_FOURS * PA_STEP_FOURS + PA_STEP_FOURS - before, end = whole < fours ? whole : fours;
        PA_UNROLL_BY(1)
        for (int q = start + part; q < end; q += PA_STEP_PARTS) {
            pa_four<T> of_columns[wide];
            PA_UNROLL_BY(2)
            for (int e = 0; e < wide; ++e) of_columns[e] = *(const pa_four<T> *)(columns + e * columns_apart + 4 * q);
            PA_UNROLL_BY(4)
            for (int row = 0; row < count; ++row) {
                const pa_four<T> of_row = *(const pa_four<T> *)(rows + row * rows_apart + 4 * q);
                PA_UNROLL_BY(8)
                for (int e = 0; e < 4 * wide; ++e) sums[e / 4][row] += of_row.of[e % 4] * of_columns[e / 4].of[e % 4];
            }
        }
        if (end == whole || last) {
            PA_UNROLL_BY(8)
            for (int e = 0; e < wide * count; ++e) {
                totals[e / count][e % count] += (double)sums[e / count][e % count];
                sums[e / count][e % count] = 0;
            }
        }
        start = end;
    }
}

/* The extents of a product, and where its operands stand. */
template <typename T>
struct pa_step_place {
    int rows, first, end; /* columns of this block: first, ..., end - 1 */
    int terms, piece;     /* all of them, and how many stand there at once: all, or a multiple of 32 */
    bool rows_stand, columns_stand; /* all of them do, for all terms */
    T *of_rows, *of_columns;
    int rows_stride, columns_stride; /* from line to line */
};

template <int count, int wide, typename T, typename RowAt, typename ColumnAt, typename StartAt, typename Result>
PA_DEVICE void pa_step_results(const pa_step_place<T> &place, const RowAt &row_at, const ColumnAt &column_at,
                               const StartAt &start_at, const Result &result)
{
    const int all = (int)blockDim.x / 32, warps = all < PA_STEP_WARPS ? all : PA_STEP_WARPS, warp = (int)threadIdx.x / 32;
    const int part = (int)threadIdx.x % PA_STEP_PARTS, own = (int)threadIdx.x % 32 / PA_STEP_PARTS;
    const int groups = (place.end - place.first + 4 * wide - 1) / (4 * wide), chunks = (place.rows + count - 1) / count;
    const bool stand = place.rows_stand && place.columns_stand;
    /* A warp has some columns of some rows, whichever where all stands there; else all warps have columns side by side. */
    const int turns = (groups + warps - 1) / warps, rounds = stand ? (groups * chunks + warps - 1) / warps : turns * chunks;
    for (int round = 0; round < rounds; ++round) {
        const int unit = round * warps + warp, chunk = stand ? unit / groups : round / turns;
        const int group = stand ? unit % groups : round % turns * warps + warp;
        const bool works = warp < warps && group < groups && chunk < chunks;
        const int m0 = chunk * count, rows = m0 + count < place.rows ? count : place.rows - m0;
        const int n0 = place.first + group * 4 * wide, side = place.first + round % turns * warps * 4 * wide; /* first of all */
        const int lines = side + warps * 4 * wide < place.end ? warps * 4 * wide : place.end - side;
        const int m = m0 + part % count, n = n0 + own + part / count * 4;
        const bool mine = works && part < wide * count && m < place.rows && n < place.end; /* a result, of eight lanes each */
        const T begin = mine ? start_at(m, n) : (T)0;
        /* A column past the end is another one, whose results nobody wants. */
        const int column = n0 + own < place.end ? n0 + own : place.end - 1, apart = column + 4 < place.end ? 4 : 0;
        T sums[wide][count] = {{0}};
        double totals[wide][count] = {{0.0}};
        for (int k0 = 0; k0 < place.terms; k0 += place.piece) {
            const int k1 = k0 + place.piece < place.terms ? k0 + place.piece : place.terms;
            if (!stand) {
                __syncthreads();
                if (!place.rows_stand)
                    pa_step_stage<T>(place.of_rows, place.rows_stride, count, k0, k1, false,
                                     [&](int row, int k) { return row < rows ? row_at(m0 + row, k) : (T)0; });
                if (!place.columns_stand)
                    pa_step_stage<T>(place.of_columns, place.columns_stride, lines, k0, k1, true,
                                     [&](int line, int k) { return column_at(k, side + line); });
                __syncthreads();
            }
            const T *from_rows = place.of_rows + (place.rows_stand ? m0 * place.rows_stride + k0 : 0);
            const int line = column - (place.columns_stand ? place.first : side);
            const T *from_columns = place.of_columns + line * place.columns_stride + (place.columns_stand ? k0 : 0);
            if (works)
                pa_step_terms<count, wide, T>(from_rows, place.rows_stride, from_columns, apart * place.columns_stride, k0, k1,
                                              k1 == place.terms, part, sums, totals);
        }
        T sum = 0;
        PA_UNROLL_BY(8)
        for (int e = 0; e < wide * count; ++e) {
            T both = (T)totals[e / count][e % count];
            PA_UNROLL_BY(3)
            for (int step = 1; step < PA_STEP_PARTS; step *= 2) both += __shfl_xor_sync(0xffffffffu, both, step);
            if (e == part) sum = both;
        }
        if (mine) result(m, n, begin, (double)sum);
    }
}

/* A product: result(m, n, start_at(m, n), sum of row_at(m, k) * column_at(k, n) over all terms k) for all rows m, and those
 * columns n that belong to this block of the team. With a room, the second operand is read in the first step only. */
template <typename T, typename RowAt, typename ColumnAt, typename StartAt, typename Result>
PA_DEVICE void pa_step_product(int64_t member, int64_t members, int64_t rows, int64_t columns, int64_t terms, const RowAt &row_at,
                               const ColumnAt &column_at, const StartAt &start_at, const Result &result, pa_rooms *rooms,
                               pa_stay *room)
{
    pa_step_memory &memory = *pa_step_space();
    const int own = (int)(((unsigned int)columns + (unsigned int)members - 1) / (unsigned int)members), first = own * (int)member;
    const int end = first + own < (int)columns ? first + own : (int)columns;
    const int count = rows == 1 ? 1 : PA_STEP_ROWS_AT_ONCE, lines = ((int)rows + count - 1) / count * count;
    const bool is_wide = sizeof(T) == 4 && end - first >= 8; /* elements are read for more results */
    const int whole = ((int)terms + 3) / 4 * 4, stride = whole + 4, for_rows = sizeof memory.rows / sizeof(T);
    int64_t for_columns = sizeof memory.columns / sizeof(T);
    pa_step_place<T> place = {(int)rows, first, end, (int)terms, whole, (int64_t)lines * stride <= for_rows, false,
                              (T *)memory.rows, (T *)memory.columns, stride, stride};
    __syncthreads(); /* all are through with what stood there */
    if (room != NULL && !room->asked) {
        const int64_t bytes = (int64_t)own * stride * (int64_t)sizeof(T);
        room->asked = true;
        if (bytes <= rooms->left) {
            room->at = rooms->next;
            rooms->next += bytes;
            rooms->left -= bytes;
            pa_step_stage<T>((T *)room->at, stride, end > first ? end - first : 0, 0, (int)terms, true,
                             [&](int line, int k) { return column_at(k, first + line); });
        }
    }
    if (room != NULL && room->at != NULL) {
        place.columns_stand = true;
        place.of_columns = (T *)room->at;
        if (!place.rows_stand && (int64_t)lines * stride * (int64_t)sizeof(T) <= rooms->left) {
            place.rows_stand = true;
            place.of_rows = (T *)rooms->next;
        }
    } else {
        if (rooms != NULL && rooms->left / (int64_t)sizeof(T) > for_columns) {
            place.of_columns = (T *)rooms->next;
            for_columns = rooms->left / (int64_t)sizeof(T);
        }
        const int most = (int)((for_columns / (4 * PA_STEP_WARPS * (is_wide ? 2 : 1)) - 4) / 32 * 32);
        if (place.piece > most) place.piece = most;
        place.columns_stride = place.piece + 4;
    }
    if (place.rows_stand) {
        pa_step_stage<T>(place.of_rows, place.rows_stride, lines, 0, (int)terms, false,
                         [&](int row, int k) { return row < rows ? row_at(row, k) : (T)0; });
    } else {
        const int most = (for_rows / count - 4) / 32 * 32;
        if (place.piece > most) place.piece = most;
        place.rows_stride = place.piece + 4;
    }
    __syncthreads();
    const int both = sizeof(T) == 4 ? 2 : 1;
    if (is_wide && count == 1) pa_step_results<1, both, T>(place, row_at, column_at, start_at, result);
    else if (is_wide) pa_step_results<PA_STEP_ROWS_AT_ONCE, both, T>(place, row_at, column_at, start_at, result);
    else if (count == 1) pa_step_results<1, 1, T>(place, row_at, column_at, start_at, result);
    else pa_step_results<PA_STEP_ROWS_AT_ONCE, 1, T>(place, row_at, column_at, start_at, result);
}

/* A kernel with products has blocks of at most so many threads, which may have that many registers. */
#define PA_PRODUCTS_KERNEL extern "C" __global__ __launch_bounds__(32 * PA_STEP_WARPS)

/* What generated text says of a product; pa_rows, pa_columns and pa_terms stand before. */
#define PA_STEP_ROWS(suffix) const auto pa_row_at = [&](const int64_t pa_m, const int64_t pa_k) -> PA_TYPE_##suffix
#define PA_STEP_COLUMNS(suffix) ; const auto pa_column_at = [&](const int64_t pa_k, const int64_t pa_n) -> PA_TYPE_##suffix
#define PA_STEP_STARTS(suffix) ; const auto pa_start_at = [&](const int64_t pa_m, const int64_t pa_n) -> PA_TYPE_##suffix
#define PA_STEP_RESULTS(suffix) \
    ; const auto pa_result = [&](const int64_t pa_m, const int64_t pa_n, const PA_TYPE_##suffix PA_STEP_START, const double PA_STEP_SUM)
#define PA_STEP_IS(value) return (value);
#define PA_STEP_OF(suffix, member, members, ...)                                                                             \
    ; pa_step_product<PA_TYPE_##suffix>(member, members, pa_rows, pa_columns, pa_terms, pa_row_at, pa_column_at, pa_start_at, \
                                        pa_result, __VA_ARGS__);
#define PA_TEAM_PRODUCT(suffix, room) PA_STEP_OF(suffix, pa_own.member, pa_own.members, room)
#define PA_BLOCK_PRODUCT(suffix, room) PA_STEP_OF(suffix, 0, 1, room)

#endif
