/*
 * polyad_cuda_teams.h: blocks that run the steps of a recurrence together, and the products of their steps.
 *
 * A team is a cluster of blocks, where the device has clusters and the host has asked for them; else it is one block.
 */
#ifndef POLYAD_CUDA_TEAMS_H
#define POLYAD_CUDA_TEAMS_H

#define PA_DEVICE static __device__ __forceinline__

#if defined(__CUDA_ARCH__) && __CUDA_ARCH__ >= 900
PA_DEVICE int64_t pa_team_member(void)
{
    unsigned int number;
    asm volatile("mov.u32 %0, %%cluster_ctarank;" : "=r"(number));
    return (int64_t)number;
}
PA_DEVICE int64_t pa_team_members(void)
{
    unsigned int count;
    asm volatile("mov.u32 %0, %%cluster_nctarank;" : "=r"(count));
    return (int64_t)count;
}
PA_DEVICE void pa_team_meet(void)
{
    if (pa_team_members() == 1) {
        __syncthreads();
    } else {
        asm volatile("barrier.cluster.arrive.release.aligned;" ::: "memory");
        asm volatile("barrier.cluster.wait.acquire.aligned;" ::: "memory");
    }
}
#else
PA_DEVICE int64_t pa_team_member(void) { return 0; }
PA_DEVICE int64_t pa_team_members(void) { return 1; }
PA_DEVICE void pa_team_meet(void) { __syncthreads(); }
#endif

/* The threads of a team: which one this is, and how many there are; what each wrote before they meet, all can read behind. */
#define PA_TEAM_THREAD (pa_team_member() * (int64_t)blockDim.x + (int64_t)threadIdx.x)
#define PA_TEAM_THREADS (pa_team_members() * (int64_t)blockDim.x)
#define PA_TEAM_MEET pa_team_meet();

/* The part of a team of the iterations from low to high, first and last: as many as all others have, or fewer. */
PA_DEVICE int64_t pa_team_first(int64_t low, int64_t high)
{
    const int64_t team = (int64_t)blockIdx.x / pa_team_members(), teams = (int64_t)gridDim.x / pa_team_members();
    return low + team * ((high - low + teams) / teams);
}
PA_DEVICE int64_t pa_team_last(int64_t low, int64_t high)
{
    const int64_t teams = (int64_t)gridDim.x / pa_team_members(), each = (high - low + teams) / teams;
    const int64_t last = pa_team_first(low, high) + each - 1;
    return last < high ? last : high;
}

/* The shared memory that the host has asked for: rooms in it keep operands that are the same in all steps. */
struct pa_room {
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
    pa_room pa_kept[count] = {};
#define PA_KEPT(number) &pa_free, &pa_kept[number]
#define PA_PASSING (pa_rooms *)NULL, (pa_room *)NULL

/* Shared memory for a product at work: parts of its results, and a piece of the rows of its first operand. */
#define PA_STEP_GROUPS 8     /* the parts of a sum */
#define PA_STEP_CHUNK 32     /* terms added up in the type of the operands, before these sums are in double */
#define PA_STEP_ROWS_AT_ONCE 4
#define PA_STEP_WIDTH 2      /* warps side by side along columns, at most */
#define PA_STEP_PARTS (PA_STEP_GROUPS * PA_STEP_ROWS_AT_ONCE * 32 * PA_STEP_WIDTH)
#define PA_STEP_PIECE 16384  /* bytes: four rows of 1024 terms in float, 512 in double */
struct pa_step_memory {
    double parts[PA_STEP_PARTS];
    double piece[PA_STEP_PIECE / 8];
};
PA_DEVICE pa_step_memory *pa_step_room(void)
{
    __shared__ pa_step_memory memory;
    return &memory;
}

template <typename T>
struct __align__(16) pa_quad {
    T of[4];
};

/* Rows of a piece times one column, blocks of 32 terms of every eighth: added to totals. */
template <int count, typename T, typename Column>
PA_DEVICE void pa_step_terms(const T *piece, int64_t width, int64_t k0, int64_t k1, int group, const Column &column, double *totals)
{
    for (int64_t start = k0 + PA_STEP_CHUNK * group; start < k1; start += PA_STEP_CHUNK * PA_STEP_GROUPS) {
        T sums[count];
        PA_UNROLL_BY(4)
        for (int row = 0; row < count; ++row) sums[row] = 0;
        if (start + PA_STEP_CHUNK <= k1) {
            PA_UNROLL_BY(8)
            for (int k = 0; k < PA_STEP_CHUNK; k += 4) {
                T of_column[4];
                PA_UNROLL_BY(4)
                for (int e = 0; e < 4; ++e) of_column[e] = column(start + k + e);
                PA_UNROLL_BY(4)
                for (int row = 0; row < count; ++row) {
                    const pa_quad<T> of_row = *(const pa_quad<T> *)(piece + row * width + (start - k0) + k);
                    PA_UNROLL_BY(4)
                    for (int e = 0; e < 4; ++e) sums[row] += of_row.of[e] * of_column[e];
                }
            }
        } else {
            for (int64_t k = start; k < k1; ++k) {
                const T of_column = column(k);
                PA_UNROLL_BY(4)
                for (int row = 0; row < count; ++row) sums[row] += piece[row * width + (k - k0)] * of_column;
            }
        }
        PA_UNROLL_BY(4)
        for (int row = 0; row < count; ++row) totals[row] += (double)sums[row];
    }
}

/* Results of rows m0, ..., m0 + count - 1 in the columns of this block, from first to end - 1. */
template <int count, typename T, typename RowAt, typename Column, typename Result>
PA_DEVICE void pa_step_rows(int64_t m0, int64_t rows, int64_t first, int64_t end, int64_t terms, const RowAt &row_at,
                            const Column &column_at, const Result &result)
{
    pa_step_memory &memory = *pa_step_room();
    T *piece = (T *)memory.piece;
    const int64_t width = PA_STEP_PIECE / PA_STEP_ROWS_AT_ONCE / (int64_t)sizeof(T);
    const int lane = (int)threadIdx.x % 32, warp = (int)threadIdx.x / 32, warps = (int)blockDim.x / 32;
    const int across = warps >= PA_STEP_GROUPS * PA_STEP_WIDTH ? PA_STEP_WIDTH : 1;
    bool stands = false; /* the rows, all of them, in shared memory */
    for (int64_t n0 = first; n0 < end; n0 += 32 * across) {
        for (int unit0 = 0; unit0 < PA_STEP_GROUPS * across; unit0 += warps) {
            const int unit = unit0 + warp, group = unit / across, place = unit % across * 32 + lane;
            const bool has_part = unit < PA_STEP_GROUPS * across && n0 + place < end;
            double totals[count];
            PA_UNROLL_BY(4)
            for (int row = 0; row < count; ++row) totals[row] = 0.0;
            for (int64_t k0 = 0; k0 < terms; k0 += width) {
                const int64_t k1 = k0 + width < terms ? k0 + width : terms;
                if (!stands) {
                    __syncthreads();
                    for (int row = 0; row < count; ++row)
                        for (int64_t k = k0 + (int64_t)threadIdx.x; k < k1; k += (int64_t)blockDim.x)
                            piece[row * width + (k - k0)] = m0 + row < rows ? row_at(m0 + row, k) : (T)0;
                    __syncthreads();
                    stands = terms <= width;
                }
                if (has_part) {
                    const int64_t n = n0 + place;
                    pa_step_terms<count>(piece, width, k0, k1, group, [&](int64_t k) { return column_at(k, n); }, totals);
                }
            }
            if (has_part)
                for (int row = 0; row < count; ++row) memory.parts[(group * count + row) * 32 * across + place] = totals[row];
        }
        __syncthreads();
        for (int e = (int)threadIdx.x; e < count * 32 * across; e += (int)blockDim.x) {
            const int64_t m = m0 + e / (32 * across), n = n0 + e % (32 * across);
            if (m < rows && n < end) {
                double sum = memory.parts[e];
                for (int group = 1; group < PA_STEP_GROUPS; ++group) sum += memory.parts[group * count * 32 * across + e];
                result(m, n, sum);
            }
        }
        __syncthreads();
    }
}

/* A product: result(m, n, sum of row_at(m, k) * column_at(k, n) over all terms k) for all rows m, and those columns n that
 * belong to this block of the team. With a room, the second operand is read in the first step only. */
template <typename T, typename RowAt, typename ColumnAt, typename Result>
PA_DEVICE void pa_step_product(int64_t rows, int64_t columns, int64_t terms, const RowAt &row_at, const ColumnAt &column_at,
                               const Result &result, pa_rooms *rooms, pa_room *room)
{
    const int64_t own = (columns + pa_team_members() - 1) / pa_team_members(), first = own * pa_team_member();
    const int64_t end = first + own < columns ? first + own : columns;
    if (room != NULL && !room->asked) {
        const int64_t bytes = (own * terms * (int64_t)sizeof(T) + 15) / 16 * 16;
        room->asked = true;
        if (bytes <= rooms->left) {
            T *kept = (T *)rooms->next;
            for (int64_t e = (int64_t)threadIdx.x; e < own * terms; e += (int64_t)blockDim.x)
                if (first + e % own < end) kept[e] = column_at(e / own, first + e % own);
            room->at = kept;
            rooms->next += bytes;
            rooms->left -= bytes;
            __syncthreads();
        }
    }
    if (room != NULL && room->at != NULL) {
        const T *kept = (const T *)room->at - first;
        const auto stands_at = [&](int64_t k, int64_t n) { return kept[k * own + n]; };
        if (rows == 1) pa_step_rows<1, T>(0, rows, first, end, terms, row_at, stands_at, result);
        else
            for (int64_t m0 = 0; m0 < rows; m0 += PA_STEP_ROWS_AT_ONCE)
                pa_step_rows<PA_STEP_ROWS_AT_ONCE, T>(m0, rows, first, end, terms, row_at, stands_at, result);
    } else {
        if (rows == 1) pa_step_rows<1, T>(0, rows, first, end, terms, row_at, column_at, result);
        else
            for (int64_t m0 = 0; m0 < rows; m0 += PA_STEP_ROWS_AT_ONCE)
                pa_step_rows<PA_STEP_ROWS_AT_ONCE, T>(m0, rows, first, end, terms, row_at, column_at, result);
    }
}

/* What generated text says of a product; pa_rows, pa_columns and pa_terms stand before. */
#define PA_STEP_ROWS(suffix) const auto pa_row_at = [&](const int64_t pa_m, const int64_t pa_k) -> PA_TYPE_##suffix
#define PA_STEP_COLUMNS(suffix) ; const auto pa_column_at = [&](const int64_t pa_k, const int64_t pa_n) -> PA_TYPE_##suffix
#define PA_STEP_RESULTS ; const auto pa_result = [&](const int64_t pa_m, const int64_t pa_n, const double PA_STEP_SUM)
#define PA_STEP_IS(value) return (value);
#define PA_STEP_PRODUCT(suffix, room) \
    ; pa_step_product<PA_TYPE_##suffix>(pa_rows, pa_columns, pa_terms, pa_row_at, pa_column_at, pa_result, room);

#endif
