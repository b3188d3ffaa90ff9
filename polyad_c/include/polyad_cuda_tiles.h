/*
 * polyad_cuda_tiles.h: contractions, a tile of results at a time. A block of threads keeps the results of a tile in
 * registers, each thread own_rows x own_columns of them, while tiles of both operands pass through shared memory.
 *
 * The order of summation is that of the terms, in chunks of one length for all shapes of tiles: 32 terms are added up in
 * the type of the operands, 16 such sums in this type again, and what becomes of 512 terms in double. The error of a sum
 * does not grow with its length then, and double, which some devices have few units for, costs little.
 */
#ifndef POLYAD_CUDA_TILES_H
#define POLYAD_CUDA_TILES_H

/* Around these macros stand pa_rows, pa_columns, pa_terms and pa_batches, and blocks that say what an operand is at row
 * pa_m, column pa_n and term pa_k of product pa_batch, and what becomes of a sum, PA_TILE_SUM. */
#define PA_TILE_ROWS const auto pa_row_at = [&](const int64_t pa_batch, const int64_t pa_m, const int64_t pa_k)
#define PA_TILE_COLUMNS ; const auto pa_column_at = [&](const int64_t pa_batch, const int64_t pa_n, const int64_t pa_k)
#define PA_TILE_OF(element) return (void)pa_batch, (void)pa_k, &(element);
#define PA_TILE_RESULTS                                                                                               \
    ; const auto pa_result = [&](const int64_t pa_batch, const int64_t pa_m, const int64_t pa_n, const double pa_sum)
#define PA_TILE_SUM ((void)pa_batch, pa_sum)

/* How neighbouring elements of an operand in memory are counted: by terms, or by rows or columns. */
#define PA_BY_TERMS false
#define PA_BY_ROWS true
#define PA_BY_COLUMNS true

/* A tile of `high` x `wide` results, from `depth` terms at a time. Elements of the operands are read `first` and `second`
 * at a time: they lie beside each other, and their number divides what they are counted by. */
#define PA_TILES(suffix, high, wide, depth, own_rows, own_columns, rows_by, first, columns_by, second)                  \
    ; pa_tiles<PA_TYPE_##suffix, high, wide, depth, own_rows, own_columns, PA_BY_##rows_by, first, PA_BY_##columns_by,  \
               second>(pa_rows, pa_columns, pa_terms, pa_batches, pa_row_at, pa_column_at, pa_result);
#define PA_TYPE_f32 float
#define PA_TYPE_f64 double

/* 16 bytes of memory, which are read and written at once. */
template <typename T> struct alignas(16) pa_packed {
    T at[16 / sizeof(T)];
};

/* The place of an element in a tile in shared memory, which has `size` rows or columns of each term one after the other,
 * in another order for each of four groups of terms: threads that write one group each then reach different banks. */
template <typename T, int size> PA_INLINE int pa_tile_place(const int number, const int term)
{
    constexpr int pack = 16 / sizeof(T);
    return term * size + (number ^ (term / pack % 4 * 2 * pack));
}

/* A tile of an operand on its way from memory to shared memory: what one thread carries. */
template <typename T, int size, int depth, int threads, bool by_own, int width> struct pa_carried {
    static constexpr int pack = 16 / sizeof(T), packs = size * depth / threads / pack;
    T kept[packs][pack];

    static PA_HERE int number(const int n)
    {
        const int which = (int)threadIdx.x + n * threads;
        return by_own ? which % (size / pack) * pack : which / (depth / pack);
    }

    static PA_HERE int term(const int n)
    {
        const int which = (int)threadIdx.x + n * threads;
        return by_own ? which / (size / pack) : which % (depth / pack) * pack;
    }

    /* Elements from (number, term) on; those behind the last row or column, or the last term, are 0. */
    template <typename At>
    PA_HERE void load(const At &at, const int64_t number0, const int64_t term0, const int numbers, const int terms)
    {
        PA_UNROLL_BY(packs)
        for (int n = 0; n < packs; ++n) {
            const int m = number(n), k = term(n);
            if (width == pack) {
                pa_packed<T> found = {};
                const T *const from = m < numbers && k < terms ? at(number0 + m, term0 + k) : NULL;
                if (from != NULL && (uintptr_t)from % sizeof found == 0) {
                    found = *(const pa_packed<T> *)from;
                } else if (from != NULL) { /* the array of a caller begins anywhere */
                    PA_UNROLL_BY(pack)
                    for (int e = 0; e < pack; ++e) found.at[e] = from[e];
                }
                PA_UNROLL_BY(pack)
                for (int e = 0; e < pack; ++e) kept[n][e] = found.at[e];
            } else {
                PA_UNROLL_BY(pack)
                for (int e = 0; e < pack; ++e) {
                    const int one = m + (by_own ? e : 0), other = k + (by_own ? 0 : e);
                    kept[n][e] = one < numbers && other < terms ? *at(number0 + one, term0 + other) : T(0);
                }
            }
        }
    }

    PA_HERE void store(T *tile) const
    {
        PA_UNROLL_BY(packs)
        for (int n = 0; n < packs; ++n) {
            if (by_own) {
                pa_packed<T> whole;
                PA_UNROLL_BY(pack)
                for (int e = 0; e < pack; ++e) whole.at[e] = kept[n][e];
                *(pa_packed<T> *)&tile[pa_tile_place<T, size>(number(n), term(n))] = whole;
            } else {
                PA_UNROLL_BY(pack)
                for (int e = 0; e < pack; ++e) tile[pa_tile_place<T, size>(number(n), term(n) + e)] = kept[n][e];
            }
        }
    }
};

/* The operands of one thread at a term: packs from `begin` on, which is in a tile that lies at a multiple of 32 elements,
 * with those of `lanes` threads between them. */
template <typename T, int size, int own, int lanes>
PA_INLINE void pa_own(T (&kept)[own], const T *const tile, const int begin, const int term)
{
    constexpr int pack = 16 / sizeof(T);
    PA_UNROLL_BY(own)
    for (int g = 0; g < own / pack; ++g) {
        const int turned = begin ^ (term / pack % 4 * 2 * pack) ^ (g * lanes * pack);
        const pa_packed<T> some = *(const pa_packed<T> *)(tile + turned + term * size);
        PA_UNROLL_BY(pack)
        for (int e = 0; e < pack; ++e) kept[g * pack + e] = some.at[e];
    }
}

template <typename T, int high, int wide, int depth, int own_rows, int own_columns, bool rows_by_own, int first,
          bool columns_by_own, int second, typename RowAt, typename ColumnAt, typename Result>
PA_INLINE void pa_tiles(const int64_t rows, const int64_t columns, const int64_t terms, const int64_t batches,
                        const RowAt &row_at, const ColumnAt &column_at, const Result &result)
{
    constexpr int threads = high / own_rows * (wide / own_columns), pack = 16 / sizeof(T), own = own_rows * own_columns;
    constexpr int chunk = 32 / depth, far = 16; /* steps of 32 terms; sums of 32 terms in 512 */
    constexpr int passes = own_rows / pack, pass_rows = high / passes;
    static_assert(pass_rows * wide <= 2 * depth * (high + wide), "a pass over results fits the memory of operands");
    __shared__ pa_packed<T> memory[2 * depth * (high + wide) / pack];
    T *const shared = (T *)memory;
    /* Warps have 4 x 8 threads, in an order in which 8 of them read 2 packs of rows and 4 of columns at a time. */
    const int warp = (int)threadIdx.x / 32, lane = (int)threadIdx.x % 32;
    const int warp_row = warp / (wide / (8 * own_columns)), warp_column = warp % (wide / (8 * own_columns));
    const int row = (lane % 2 + lane / 16 * 2) * pack, column = lane / 2 % 8 * pack;
    const int own_row = warp_row * 4 * own_rows + row, own_column = warp_column * 8 * own_columns + column;
    const int64_t across = (columns + wide - 1) / wide, down = (rows + high - 1) / high;
    const int steps = (int)((terms + depth - 1) / depth);
    volatile double kept[own]; /* sums of 512 terms, which are to stay in memory */

    for (int64_t tile = PA_BLOCK; tile < batches * down * across; tile += PA_BLOCKS) {
        const int64_t batch = tile / (down * across), row0 = tile / across % down * high, column0 = tile % across * wide;
        const int rows_left = (int)(rows - row0 < high ? rows - row0 : high);
        const int columns_left = (int)(columns - column0 < wide ? columns - column0 : wide);
        const auto row_of = [&](const int64_t m, const int64_t k) { return row_at(batch, m, k); };
        const auto column_of = [&](const int64_t n, const int64_t k) { return column_at(batch, n, k); };
        pa_carried<T, high, depth, threads, rows_by_own, first> some_rows;
        pa_carried<T, wide, depth, threads, columns_by_own, second> some_columns;
        T sums[own] = {}, totals[own] = {};
        int folds = 0;

        if (steps > 0) {
            const int left = (int)(terms < depth ? terms : depth);
            some_rows.load(row_of, row0, 0, rows_left, left);
            some_columns.load(column_of, column0, 0, columns_left, left);
        }
        for (int step = 0; step < steps; ++step) {
            const int half = step % 2 * depth * (high + wide);
            some_rows.store(shared + half);
            some_columns.store(shared + half + depth * high);
            __syncthreads();
            if (step + 1 < steps) {
                const int64_t term0 = (int64_t)(step + 1) * depth;
                const int left = (int)(terms - term0 < depth ? terms - term0 : depth);
                some_rows.load(row_of, row0, term0, rows_left, left);
                some_columns.load(column_of, column0, term0, columns_left, left);
            }
            PA_UNROLL_BY(depth)
            for (int k = 0; k < depth; ++k) {
                T x[own_rows], y[own_columns];
                pa_own<T, high, own_rows, 4>(x, shared, half + own_row, k);
                pa_own<T, wide, own_columns, 8>(y, shared, half + depth * high + own_column, k);
                PA_UNROLL_BY(own)
                for (int e = 0; e < own; ++e) sums[e] += x[e / own_columns] * y[e % own_columns];
            }
            if (step % chunk == chunk - 1 || step == steps - 1) {
                PA_UNROLL_BY(own)
                for (int e = 0; e < own; ++e) {
                    totals[e] += sums[e];
                    sums[e] = T(0);
                }
                if (step == steps - 1 ? folds >= far : folds % far == far - 1) {
                    PA_UNROLL_BY(own)
                    for (int e = 0; e < own; ++e) {
                        const double all = (folds < far ? 0.0 : kept[e]) + (double)totals[e];
                        kept[e] = all;
                        totals[e] = step == steps - 1 ? (T)all : T(0);
                    }
                }
                ++folds;
            }
        }

        /* Results go through shared memory, so that neighbouring threads have neighbouring columns; `pack` of the rows of
         * each thread at a time. */
        PA_UNROLL_BY(1)
        for (int pass = 0; pass < passes; ++pass) {
            __syncthreads();
            PA_UNROLL_BY(pack)
            for (int m = 0; m < pack; ++m) {
                PA_UNROLL_BY(own_columns)
                for (int g = 0; g < own_columns / pack; ++g) {
                    pa_packed<T> some;
                    PA_UNROLL_BY(pack)
                    for (int e = 0; e < pack; ++e) {
                        T found = T(0);
                        PA_UNROLL_BY(passes)
                        for (int p = 0; p < passes; ++p) {
                            const T one = totals[(p * pack + m) * own_columns + g * pack + e];
                            found = pass == p ? one : found;
                        }
                        some.at[e] = found;
                    }
                    const int place = (warp_row * 4 * pack + row + m) * wide;
                    *(pa_packed<T> *)&shared[place + own_column + g * 8 * pack] = some;
                }
            }
            __syncthreads();
            PA_UNROLL_BY(1)
            for (int e = (int)threadIdx.x; e < pass_rows * wide; e += threads) {
                const int place = e / wide, n = e % wide;
                const int m = place / (4 * pack) * (4 * own_rows) + pass * 4 * pack + place % (4 * pack);
                if (m < rows_left && n < columns_left) result(batch, row0 + m, column0 + n, (double)shared[e]);
            }
        }
        __syncthreads();
    }
}

#endif
