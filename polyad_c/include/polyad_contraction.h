/* ================================================================================================================
 * polyad_contraction.h: contractions in tiles that stay in registers, over panels that stay in cache
 *
 *     c[m, n] += scale * sum over k of a[m, k] * b[k, n]
 *
 * where m, n and k each stand for a group of loops: matrix products, batched and transposed ones, convolutions (m the
 * output channels, n the pixels, k input channels and window). An element of an operand lies at
 *
 *     a + sum of m_i * a.rows[i] + sum of k_j * a.columns[j]
 *
 * so any operand whose index is affine in the loops will do. What makes it fast:
 *
 *   tiles     PA_TILE_ROWS x (PA_TILE_VECTORS vectors) elements of c stay in registers while k runs;
 *   panels    b is copied into panels of that many columns, k after k, so that a tile reads it in one stream;
 *             columns beyond the end are zeros. A panel that does not change in a loop is packed before the loop
 *             (pa_pack_...) and given to pa_contract_packed_...;
 *   blocks    up to PA_BLOCK_K values of k at a time, so that a panel and the rows of a stay in cache. Rows of a are
 *             read where they stand when k is contiguous in them, else they are copied, PA_ROWS_BYTES at a time;
 *   no copy   of what is so small that it stays in cache as it stands: a whose elements along k are PA_NEAR_ROWS bytes
 *             from the first to the last, and b with contiguous columns whose rows are PA_NEAR_PANEL bytes;
 *   turning   where b is contiguous along k, squares of it are transposed in registers on their way into a panel;
 *   pieces    columns that are stretches of memory, such as rows of an image, are put together vector by vector;
 *   few rows  of a use b too seldom for a copy: PA_FEW_ROWS of them take b as it stands, in slim tiles of more rows
 *             where there are registers for that, and PA_DOT_MOST of them rows of b that are contiguous along k, whose
 *             products with rows of a are sums in the lanes of vectors;
 *   short k   makes most of the work writing c: where all of b is near, a tile of rows runs along c.
 *
 * Every element of c is summed in the order of k, in equal blocks, whatever tile it falls into and however many
 * threads run, or else, where there are few rows in all, in lanes.
 *
 * Copies and tables of offsets lie in the caller's memory, `pa_room`: pa_room_bytes for each thread (room.py computes a
 * bound of that for the workspace). On the stack of a thread are less than PA_STACK_BYTES.
 *
 * Compiled once for many kernels: with PA_CONTRACTION_LINKED defined only the functions that kernels call are declared,
 * and an object file made with PA_CONTRACTION_OBJECT defined holds them (polyad/runtime/contraction_object.py).
 *
 * Source: K. Goto, R. van de Geijn, Anatomy of high-performance matrix multiplication, 2008; F. Van Zee, R. van de
 * Geijn, BLIS, 2015.
 * ============================================================================================================= */

#if !defined(PA_REAL)
#ifndef POLYAD_CONTRACTION_H
#define POLYAD_CONTRACTION_H

#include "polyad_runtime.h"

#if defined(_OPENMP)
#include <omp.h>
#endif

#define PA_GROUP 4 /* loops in a group */

/* A group of loops run as one, the outermost first. */
typedef struct { int rank; int64_t extent[PA_GROUP]; } pa_group;

/* How far apart the elements of an operand lie along its two groups of loops, in elements. */
typedef struct { int64_t rows[PA_GROUP], columns[PA_GROUP]; } pa_strides;

/* The shape of a contraction: a[m, k], b[k, n], c[m, n]. */
typedef struct { pa_group m, n, k; pa_strides a, b, c; } pa_contraction;

/* Memory for what is copied: each thread has its own part. */
typedef struct { unsigned char *first; int64_t copies; size_t each; int level; } pa_room;

/* The parts of `copies` threads at the most, `each` bytes for one. Called where the kernel begins. */
PA_INLINE pa_room pa_rooms(void *first, int64_t copies, size_t each)
{
    pa_room room;
    room.first = (unsigned char *)first;
    room.copies = copies;
    room.each = each;
#if defined(_OPENMP)
    room.level = omp_get_level(); /* the threads of regions around the kernel are none of its own */
#else
    room.level = 0;
#endif
    return room;
}

/* What kernels call: static where each has its own, else in an object file that they are linked with. */
#if defined(PA_CONTRACTION_LINKED) || defined(PA_CONTRACTION_OBJECT)
#if defined(__GNUC__) || defined(__clang__)
#define PA_CONTRACTION_API __attribute__((visibility("hidden")))
#else
#define PA_CONTRACTION_API
#endif
#else
#define PA_CONTRACTION_API PA_MAYBE_UNUSED static
#endif

#define PA_DECLARE_CONTRACTIONS(type, suffix)                                                                         \
    /* c[m, n] += scale * sum over k of a[m, k] * b[k, n], or = where `add` is 0. */                                  \
    PA_CONTRACTION_API void pa_contract_##suffix(const pa_contraction *p, const type *a, const type *b, type *c,      \
                                                 type scale, int add, const pa_room *room);                           \
    /* The same for a share of the rows: how many there are, and so how many threads, changes no bit of an element. */ \
    PA_CONTRACTION_API void pa_contract_share_##suffix(const pa_contraction *p, const type *a, const type *b,         \
                                                       type *c, type scale, int add, const pa_room *room);            \
    /* The same with b from `pa_pack`. */                                                                             \
    PA_CONTRACTION_API void pa_contract_packed_##suffix(const pa_contraction *p, const type *a, const type *packed,   \
                                                        type *c, type scale, int add, const pa_room *room);           \
    /* Copies all of b into panels: pa_extent(k) * (pa_extent(n) + PA_PANEL_EXTRA) elements at most. */               \
    PA_CONTRACTION_API void pa_pack_##suffix(const pa_contraction *p, const type *b, type *packed);

#if !defined(PA_CONTRACTION_LINKED)

#if defined(__GNUC__) || defined(__clang__)
#define PA_PREFETCH(address) __builtin_prefetch(address)
#else
#define PA_PREFETCH(address) ((void)0)
#endif

#if defined(__AVX512F__)
#define PA_VECTOR_BYTES 64
#define PA_TILE_ROWS 6
#define PA_TILE_VECTORS 4
#define PA_SLIM_ROWS 12 /* of tiles of PA_SLIM_VECTORS */
#define PA_FEW_ROWS 32
#define PA_DOT_ROWS 4
#define PA_DOT_COLUMNS 6
#elif defined(__AVX__)
#define PA_VECTOR_BYTES 32
#define PA_TILE_ROWS 6
#define PA_TILE_VECTORS 2
#elif defined(__aarch64__)
#define PA_VECTOR_BYTES 16
#define PA_TILE_ROWS 6
#define PA_TILE_VECTORS 4
#define PA_DOT_ROWS 4
#define PA_DOT_COLUMNS 6
#else
#define PA_VECTOR_BYTES 16
#define PA_TILE_ROWS 4
#define PA_TILE_VECTORS 2
#endif
#if !defined(PA_SLIM_ROWS) /* no other tiles */
#define PA_SLIM_ROWS PA_TILE_ROWS
#define PA_FEW_ROWS 12
#endif
#if !defined(PA_DOT_ROWS) /* of 16 registers, 12 for sums, and 3 for what they share */
#define PA_DOT_ROWS 3
#define PA_DOT_COLUMNS 4
#endif
#if PA_DOT_ROWS == 4
#define PA_DOTS PA_DOT(1) PA_DOT(2) PA_DOT(3) PA_DOT(4)
#else
#define PA_DOTS PA_DOT(1) PA_DOT(2) PA_DOT(3)
#endif

/* An element has the same bits in whichever tile it is: each product is rounded with its sum, or in none of them. GCC
 * rounds them apart where it tunes for AMD's Zen and a tile is one chain of sums; one that it cannot look into is none.
 * Without vector types, the C library says whether fma is what the processor does. */
#if defined(__FMA__) && defined(__GNUC__) && !defined(__clang__)
#define PA_NO_CHAIN(sum) __asm__("" : "+x"(sum))
#else
#define PA_NO_CHAIN(sum) ((void)0)
#endif
#if defined(FP_FAST_FMAF)
#define PA_MULTIPLY_ADD_f32(a, b, sum) fmaf(a, b, sum)
#else
#define PA_MULTIPLY_ADD_f32(a, b, sum) ((a) * (b) + (sum))
#endif
#if defined(FP_FAST_FMA)
#define PA_MULTIPLY_ADD_f64(a, b, sum) fma(a, b, sum)
#else
#define PA_MULTIPLY_ADD_f64(a, b, sum) ((a) * (b) + (sum))
#endif

#define PA_SLIM_VECTORS 2
#define PA_BLOCK_K 256   /* values of k between two visits of a tile of c */
#define PA_ROW_ROOM (PA_BLOCK_K + 16) /* elements for a row of a copy: no power of two, which would share few lines */
#define PA_BLOCK_M 768   /* rows of a for which one copy of a panel is used, at most */
#define PA_PANEL_BYTES (PA_TILE_VECTORS * PA_VECTOR_BYTES) /* a row of a panel */
#define PA_COPY_BYTES (290 * 1024) /* what the copied rows of a take at most, PA_ROWS_BYTES with the room between them */
#define PA_ROWS_BYTES (272 * 1024) /* of rows of a copied at a time: 256 rows of float, and a few more */
#define PA_COPY_ROWS 12  /* of a: so many take a tile about as long as the copy of a panel takes */
#define PA_DOT_MOST 24   /* rows of a for which sums along memory are as fast as tiles of panels; both measured */
#define PA_DOT_TERMS 4   /* vectors of terms for which adding up their lanes is */
#define PA_DOT_SUMS (PA_DOT_ROWS * PA_DOT_COLUMNS + PA_VECTOR_BYTES / 4) /* and room for the end of a vector */
#define PA_DOT_BLOCK_K 1024 /* terms between two visits of c: PA_DOT_COLUMNS rows of b stay in a first-level cache */
#define PA_NEAR_ROWS (64 * 1024)  /* bytes along k within which rows of a are read where they stand: tiles stream them */
#define PA_NEAR_PANEL (32 * 1024) /* the same for columns of b, which all tiles of a panel read again */
#define PA_FAR_BYTES 1024 /* from one row to the next: caches fetch nearer ones by themselves */
#define PA_SHORT_RUN 2   /* elements in a row, on average, that are worth copying together */
#define PA_LONG_RUN 8    /* that are better copied than what is next to each other along k is turned; both measured */
#define PA_PANEL_EXTRA 63 /* columns that panels may have more than b */
#define PA_BLAS_WORTH 1e6 /* multiplications that are worth a call of BLAS, where PA_BLAS(name) spells its functions */
#if !defined(PA_WORTH)
#define PA_WORTH 1e6     /* multiplications that are worth starting threads for */
#endif

#if defined(PA_BLAS)
#define PA_BLAS_CALL(name) PA_BLAS(name) /* one more step, so that PA_GEMM is replaced first */
#endif

PA_MAYBE_UNUSED static int64_t pa_extent(const pa_group *group)
{
    int64_t product = 1;
    for (int i = 0; i < group->rank; i += 1) product *= group->extent[i] > 0 ? group->extent[i] : 0;
    return product;
}

/* The offsets of `count` iterations of a group from iteration `first` on. */
PA_MAYBE_UNUSED static void pa_offsets(const pa_group *group, const int64_t *stride, int64_t first, int64_t count,
                                       int64_t *offset)
{
    if (group->rank == 1) {
        for (int64_t i = 0; i < count; i += 1) offset[i] = (first + i) * stride[0];
        return;
    }
    int64_t position[PA_GROUP] = {0}, at = 0;
    for (int d = group->rank - 1; d >= 0; d -= 1) {
        position[d] = first % group->extent[d];
        first /= group->extent[d];
        at += position[d] * stride[d];
    }
    const int last = group->rank - 1;
    for (int64_t i = 0; i < count;) { /* as far as the innermost loop goes, then a step of those around it */
        const int64_t left = group->extent[last] - position[last], run = left < count - i ? left : count - i;
        for (int64_t j = 0; j < run; j += 1) offset[i + j] = at + j * stride[last];
        i += run;
        at -= position[last] * stride[last];
        position[last] = 0;
        for (int d = last - 1; d >= 0; d -= 1) {
            at += stride[d];
            position[d] += 1;
            if (position[d] < group->extent[d]) break;
            at -= position[d] * stride[d];
            position[d] = 0;
        }
    }
}

/* The largest offset of a group's iterations, or, with a `sign` of -1, the least one. */
PA_INLINE int64_t pa_farthest(const pa_group *group, const int64_t *stride, int64_t sign)
{
    int64_t offset = 0;
    for (int i = 0; i < group->rank; i += 1)
        if (sign * stride[i] > 0) offset += (group->extent[i] - 1) * stride[i];
    return offset;
}

/* Whether the loops of a group are one, with the stride of the innermost, in two operands. */
PA_MAYBE_UNUSED static int pa_one_loop(const pa_group *group, const int64_t *first, const int64_t *second)
{
    for (int i = group->rank - 1; i > 0; i -= 1)
        if (first[i - 1] != first[i] * group->extent[i] || second[i - 1] != second[i] * group->extent[i]) return 0;
    return 1;
}

/* Whether the offsets are first, first + 1, first + 2, ... */
PA_MAYBE_UNUSED static int pa_contiguous(const int64_t *offset, int64_t count)
{
    int64_t different = 0; /* no early exit, so that compilers compare vectors: most offsets are contiguous */
    for (int64_t i = 0; i < count; i += 1) different |= offset[i] ^ (offset[0] + i);
    return different == 0;
}

/* How many offsets from the first one on are `step` more than the one before each. */
PA_MAYBE_UNUSED static int64_t pa_run(const int64_t *offset, int64_t count, int64_t step)
{
    int64_t i = 1;
    while (i < count && offset[i] == offset[0] + i * step) i += 1;
    return i;
}

/* Whether the offsets are made of stretches first, first + step, ... of `length` elements or more on average. */
PA_MAYBE_UNUSED static int pa_few_runs(const int64_t *offset, int64_t count, int64_t step, int64_t length)
{
    int64_t runs = 0;
    for (int64_t i = 0; i < count && runs * length <= count; runs += 1) i += pa_run(offset + i, count - i, step);
    return runs * length <= count;
}

/* Whether a group is one loop whose elements of `size` bytes lie within `near` bytes from the first to the last. */
PA_MAYBE_UNUSED static int pa_near(const pa_group *group, const int64_t *stride, int64_t size, int64_t near)
{
    return group->rank == 1 && stride[0] >= 0 && stride[0] * size <= near && group->extent[0] * stride[0] * size <= near;
}

/* The part of 0 .. count - 1, in units of `unit`, that is worker `worker` of `workers`'s. */
PA_MAYBE_UNUSED static void pa_part(int64_t count, int64_t unit, int worker, int workers, int64_t *first, int64_t *end)
{
    const int64_t units = (count + unit - 1) / unit;
    *first = units * worker / workers * unit;
    *end = units * (worker + 1) / workers * unit;
    if (*end > count) *end = count;
}


/* How many of `rows` rows are in the tile that begins with row `first`, `most` at the most. The last tiles share what
 * is left: 16 rows are 5, 5 and 6, since a tile of few rows waits for the panel. Of slim tiles there are even ones. */
PA_INLINE int pa_tile_rows(int64_t rows, int64_t first, const int most)
{
    const int64_t left = rows - first, tiles = (left + most - 1) / most, share = tiles > most ? most : left / tiles;
    return (int)(most > PA_TILE_ROWS && share > PA_TILE_ROWS ? share / 2 * 2 : share);
}

/* The tiles there are, by rows and vectors. */
#if PA_SLIM_ROWS == 12
#define PA_SLIM_TILES PA_TILE(8, 2) PA_TILE(10, 2) PA_TILE(12, 2)
#else
#define PA_SLIM_TILES
#endif
#if PA_TILE_VECTORS == 4 && PA_TILE_ROWS == 6
#define PA_TILES                                                                                                      \
    PA_TILE(1, 1) PA_TILE(2, 1) PA_TILE(3, 1) PA_TILE(4, 1) PA_TILE(5, 1) PA_TILE(6, 1)                               \
    PA_TILE(1, 2) PA_TILE(2, 2) PA_TILE(3, 2) PA_TILE(4, 2) PA_TILE(5, 2) PA_TILE(6, 2)                               \
    PA_TILE(1, 4) PA_TILE(2, 4) PA_TILE(3, 4) PA_TILE(4, 4) PA_TILE(5, 4) PA_TILE(6, 4) PA_SLIM_TILES
#elif PA_TILE_ROWS == 6
#define PA_TILES                                                                                                      \
    PA_TILE(1, 1) PA_TILE(2, 1) PA_TILE(3, 1) PA_TILE(4, 1) PA_TILE(5, 1) PA_TILE(6, 1)                               \
    PA_TILE(1, 2) PA_TILE(2, 2) PA_TILE(3, 2) PA_TILE(4, 2) PA_TILE(5, 2) PA_TILE(6, 2)
#else
#define PA_TILES                                                                                                      \
    PA_TILE(1, 1) PA_TILE(2, 1) PA_TILE(3, 1) PA_TILE(4, 1) PA_TILE(1, 2) PA_TILE(2, 2) PA_TILE(3, 2) PA_TILE(4, 2)
#endif

/* Read from element 16 - n on: lanes of four bytes, of which the first n are zero and the others have all bits. */
PA_MAYBE_UNUSED static const int32_t pa_lanes_from[32] = {
    0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, -1, -1, -1, -1, -1, -1, -1, -1, -1, -1, -1, -1, -1, -1, -1, -1,
};

/* Elements of two vectors in turns, the first halves of both and the second halves; and every second element of a
 * stretch of memory of which `a` holds the beginning, and `b` the end, which begins with the last element of `a`. */
#if defined(__has_builtin) && (defined(__GNUC__) || defined(__clang__))
#if __has_builtin(__builtin_shufflevector)
#define PA_HAS_SHUFFLE 1
#define PA_FIRST_2(a, b) __builtin_shufflevector(a, b, 0, 2)
#define PA_SECOND_2(a, b) __builtin_shufflevector(a, b, 1, 3)
#define PA_EVERY_OTHER_2(a, b) __builtin_shufflevector(a, b, 0, 3)
#define PA_FIRST_4(a, b) __builtin_shufflevector(a, b, 0, 4, 1, 5)
#define PA_SECOND_4(a, b) __builtin_shufflevector(a, b, 2, 6, 3, 7)
#define PA_EVERY_OTHER_4(a, b) __builtin_shufflevector(a, b, 0, 2, 5, 7)
#define PA_FIRST_8(a, b) __builtin_shufflevector(a, b, 0, 8, 1, 9, 2, 10, 3, 11)
#define PA_SECOND_8(a, b) __builtin_shufflevector(a, b, 4, 12, 5, 13, 6, 14, 7, 15)
#define PA_EVERY_OTHER_8(a, b) __builtin_shufflevector(a, b, 0, 2, 4, 6, 9, 11, 13, 15)
#define PA_FIRST_16(a, b) __builtin_shufflevector(a, b, 0, 16, 1, 17, 2, 18, 3, 19, 4, 20, 5, 21, 6, 22, 7, 23)
#define PA_SECOND_16(a, b) __builtin_shufflevector(a, b, 8, 24, 9, 25, 10, 26, 11, 27, 12, 28, 13, 29, 14, 30, 15, 31)
#define PA_EVERY_OTHER_16(a, b) __builtin_shufflevector(a, b, 0, 2, 4, 6, 8, 10, 12, 14, 17, 19, 21, 23, 25, 27, 29, 31)
#endif
#endif

#endif /* !PA_CONTRACTION_LINKED */
#endif /* POLYAD_CONTRACTION_H */

/* Only what is asked for, PA_CONTRACTION_F32 or PA_CONTRACTION_F64, is there: the tiles take a compiler their time.
 * Another kernel of the same translation unit may ask for the other one. */
#if defined(PA_CONTRACTION_F32) && !defined(PA_HAS_CONTRACTION_F32)
#define PA_HAS_CONTRACTION_F32
PA_DECLARE_CONTRACTIONS(float, f32)
#if !defined(PA_CONTRACTION_LINKED)
#define PA_REAL float
#define PA_LANES (PA_VECTOR_BYTES / 4)
#define PA_NAME(name) name##_f32
#define PA_GEMM sgemm
#include "polyad_contraction.h"
#undef PA_REAL
#undef PA_LANES
#undef PA_NAME
#undef PA_GEMM
#endif
#endif
#if defined(PA_CONTRACTION_F64) && !defined(PA_HAS_CONTRACTION_F64)
#define PA_HAS_CONTRACTION_F64
PA_DECLARE_CONTRACTIONS(double, f64)
#if !defined(PA_CONTRACTION_LINKED)
#define PA_REAL double
#define PA_LANES (PA_VECTOR_BYTES / 8)
#define PA_NAME(name) name##_f64
#define PA_GEMM dgemm
#include "polyad_contraction.h"
#undef PA_REAL
#undef PA_LANES
#undef PA_NAME
#undef PA_GEMM
#endif
#endif

#else /* the part that is there once for each element type */

#if defined(__GNUC__) || defined(__clang__)
typedef PA_REAL PA_NAME(pa_vector) __attribute__((vector_size(PA_VECTOR_BYTES), aligned(sizeof(PA_REAL)), may_alias));
typedef int32_t PA_NAME(pa_lane_bits) __attribute__((vector_size(PA_VECTOR_BYTES), aligned(4), may_alias));
#endif

/* Columns of the panel that begins at column n of `columns`: a full one of some vectors, or the narrowest that holds
 * the rest. */
PA_MAYBE_UNUSED static int PA_NAME(pa_panel)(int64_t n, int64_t columns, int vectors)
{
    const int lanes = PA_VECTOR_BYTES / (int)sizeof(PA_REAL);
    int width = vectors * lanes;
    while (width / 2 >= lanes && columns - n <= width / 2) width /= 2;
    return width;
}

#if defined(__GNUC__) || defined(__clang__)
/* The elements from[0], from[step], ...; step is 1 or 2, and nothing behind the last one is read. */
PA_INLINE PA_NAME(pa_vector) PA_NAME(pa_load)(const PA_REAL *from, int64_t step)
{
    const PA_NAME(pa_vector) a = *(const PA_NAME(pa_vector) *)(const void *)from;
#if defined(PA_HAS_SHUFFLE)
    if (step != 1) {
        const PA_NAME(pa_vector) b = *(const PA_NAME(pa_vector) *)(const void *)(from + PA_LANES - 1);
#if PA_LANES == 16
        return PA_EVERY_OTHER_16(a, b);
#elif PA_LANES == 8
        return PA_EVERY_OTHER_8(a, b);
#elif PA_LANES == 4
        return PA_EVERY_OTHER_4(a, b);
#else
        return PA_EVERY_OTHER_2(a, b);
#endif
    }
#else
    PA_UNUSED(step); /* without shuffles there is no other */
#endif
    return a;
}
#endif

#if defined(PA_HAS_SHUFFLE)
/* to[j * stride + i] = from[column[i] + j * step] for i, j < PA_LANES; zeros where i is `columns` or more. */
PA_INLINE void PA_NAME(pa_transpose)(const PA_REAL *from, int64_t step, const int64_t *column, int columns, PA_REAL *to,
                                     int64_t stride)
{
    const PA_NAME(pa_vector) zero = {0};
    PA_NAME(pa_vector) v[PA_LANES], w[PA_LANES];
    for (int i = 0; i < PA_LANES; i += 1) v[i] = i < columns ? PA_NAME(pa_load)(from + column[i], step) : zero;
    /* Each round moves the highest bit of the number of a vector to the lowest of the position in it, and back. */
    for (int left = PA_LANES; left > 1; left /= 2) {
        for (int i = 0; i < PA_LANES / 2; i += 1) {
#if PA_LANES == 16
            w[2 * i] = PA_FIRST_16(v[i], v[i + 8]), w[2 * i + 1] = PA_SECOND_16(v[i], v[i + 8]);
#elif PA_LANES == 8
            w[2 * i] = PA_FIRST_8(v[i], v[i + 4]), w[2 * i + 1] = PA_SECOND_8(v[i], v[i + 4]);
#elif PA_LANES == 4
            w[2 * i] = PA_FIRST_4(v[i], v[i + 2]), w[2 * i + 1] = PA_SECOND_4(v[i], v[i + 2]);
#else
            w[2 * i] = PA_FIRST_2(v[i], v[i + 1]), w[2 * i + 1] = PA_SECOND_2(v[i], v[i + 1]);
#endif
        }
        for (int i = 0; i < PA_LANES; i += 1) v[i] = w[i];
    }
    for (int j = 0; j < PA_LANES; j += 1) *(PA_NAME(pa_vector) *)(void *)(to + j * stride) = v[j];
}

/* A stretch of `count` values of k along which b moves by `step`, vector by vector; at least PA_LANES of them. */
PA_NOINLINE void PA_NAME(pa_pack_turned)(const PA_REAL *b, int64_t step, int64_t count, const int64_t *column,
                                         int columns, int width, PA_REAL *panel)
{
    for (int64_t k = 0; k < count; k += PA_LANES) {
        if (k + PA_LANES > count) k = count - PA_LANES; /* once more what was there before the end */
        for (int j = 0; j < width; j += PA_LANES)
            if (step == 1)
                PA_NAME(pa_transpose)(b + k, 1, column + j, columns - j, panel + k * width + j, width);
            else
                PA_NAME(pa_transpose)(b + 2 * k, 2, column + j, columns - j, panel + k * width + j, width);
    }
}
#endif

#if defined(__GNUC__) || defined(__clang__)
/* A vector of each of some rows, put together of `pieces` vectors of memory, at[p] from the row on: of piece p the lanes
 * from lane[p] on, up to the first of the next piece. */
PA_INLINE void PA_NAME(pa_copy_pieces)(const int pieces, const int64_t step, const PA_REAL *from, const int64_t *row,
                                       int64_t rows, const int64_t *at, const int *lane, int64_t width, PA_REAL *to)
{
    PA_NAME(pa_lane_bits) mask[PA_LANES > 5 ? PA_LANES : 5];
    for (int p = 1; p < pieces; p += 1)
        mask[p] = *(const PA_NAME(pa_lane_bits) *)(const void *)(
            (const unsigned char *)(pa_lanes_from + 16) - (size_t)lane[p] * sizeof(PA_REAL));
    for (int64_t i = 0; i < rows; i += 1) {
        PA_NAME(pa_lane_bits) made = (PA_NAME(pa_lane_bits))PA_NAME(pa_load)(from + row[i] + at[0], step);
        for (int p = 1; p < pieces; p += 1)
            made = ((PA_NAME(pa_lane_bits))PA_NAME(pa_load)(from + row[i] + at[p], step) & mask[p]) | (made & ~mask[p]);
        *(PA_NAME(pa_vector) *)(void *)(to + i * width) = (PA_NAME(pa_vector))made;
    }
}

/* The same, with a loop for each small number of pieces, so that masks have registers of their own. */
PA_MAYBE_UNUSED static void PA_NAME(pa_copy_vector)(int pieces, int64_t step, const PA_REAL *from, const int64_t *row,
                                                    int64_t rows, const int64_t *at, const int *lane, int64_t width,
                                                    PA_REAL *to)
{
#define PA_PIECES(count, step) PA_NAME(pa_copy_pieces)(count, step, from, row, rows, at, lane, width, to)
    switch (step == 1 ? pieces : 0) {
    case 1: PA_PIECES(1, 1); break;
    case 2: PA_PIECES(2, 1); break;
    case 3: PA_PIECES(3, 1); break;
    case 4: PA_PIECES(4, 1); break;
    case 5: PA_PIECES(5, 1); break;
    case 0: PA_PIECES(pieces, 2); break;
    default: PA_PIECES(pieces, 1); break;
    }
#undef PA_PIECES
}
#endif

/* to[i * width + j] = from[row[i] + column[j]] where columns are stretches of memory or, with a `step` of 2, every other
 * element of them; zeros from `columns` to `end`. Vectors of `to` are put together of vectors of memory, one for each
 * stretch. Rows of which these would begin before from[first] or end behind from[last] are copied by element. */
PA_NOINLINE void PA_NAME(pa_copy_runs)(const PA_REAL *from, int64_t first, int64_t last, const int64_t *row, int64_t rows,
                                       const int64_t *column, int64_t step, int columns, int end, int64_t width, PA_REAL *to)
{
#if defined(__GNUC__) || defined(__clang__)
    enum { LINE = 64 / (int)sizeof(PA_REAL), AHEAD = 8 };
    enum { SOME = 64 }; /* rows at a time, so that the lines that their vectors share stay near */
    int64_t at[PA_BLOCK_K], least = 0, most = 0;
    int lane[PA_BLOCK_K], start[PA_BLOCK_K / PA_LANES + 1], pieces = 0, vectors = 0;
    for (int j = 0, run = 0; j < columns; pieces += 1) {
        const int in = j % PA_LANES, next = j - in + PA_LANES;
        if (j == run) run += (int)pa_run(column + j, columns - j, step);
        if (in == 0) start[vectors] = pieces, vectors += 1;
        lane[pieces] = in;
        at[pieces] = column[j] - in * step;
        if (at[pieces] < least) least = at[pieces];
        if (at[pieces] + step * (PA_LANES - 1) > most) most = at[pieces] + step * (PA_LANES - 1);
        j = run < next ? run : next;
    }
    start[vectors] = pieces;
    /* Where there is nothing to put together, and rows are far apart, each is visited once. */
    const int by_rows = pieces == vectors && rows > 1 && (row[1] - row[0]) * (int64_t)sizeof(PA_REAL) >= PA_FAR_BYTES;
#else
    PA_UNUSED(first);
    PA_UNUSED(last);
    PA_UNUSED(step);
#endif
    for (int64_t i = 0, good = 0; i < rows; i += good, good = 0) {
#if defined(__GNUC__) || defined(__clang__)
        while (good < SOME && i + good < rows && row[i + good] + least >= first && row[i + good] + most <= last) good += 1;
        for (int64_t r = i; by_rows && r < i + good; r += 1) {
            PA_REAL *const target = to + r * width;
            if (r + AHEAD < rows) /* rows lie in different pages, where no hardware looks ahead */
                for (int j = 0; j < columns; j += LINE) PA_PREFETCH(from + row[r + AHEAD] + column[j]);
            if (step == 1)
                for (int v = 0; v < vectors; v += 1)
                    *(PA_NAME(pa_vector) *)(void *)(target + v * PA_LANES) = PA_NAME(pa_load)(from + row[r] + at[v], 1);
            else
                for (int v = 0; v < vectors; v += 1)
                    *(PA_NAME(pa_vector) *)(void *)(target + v * PA_LANES) = PA_NAME(pa_load)(from + row[r] + at[v], 2);
        }
        for (int v = 0; !by_rows && v < vectors && good > 0; v += 1) {
            PA_REAL *const target = to + i * width + v * PA_LANES;
            PA_NAME(pa_copy_vector)(start[v + 1] - start[v], step, from, row + i, good, at + start[v], lane + start[v], width,
                                    target);
        }
#endif
        if (good == 0) {
            for (int j = 0; j < columns; j += 1) to[i * width + j] = from[row[i] + column[j]];
            good = 1;
        }
    }
    for (int64_t i = 0; i < rows && columns < end; i += 1)
        for (int j = columns; j < end; j += 1) to[i * width + j] = 0;
}

/* Copies b[k .. k + count - 1, columns] into panel[k][width]; what is beyond the columns is zero. What is read lies
 * between b[first] and b[last]. */
PA_NOINLINE void PA_NAME(pa_pack_panel)(const PA_REAL *b, int64_t first, int64_t last, const int64_t *row, int64_t count, const int64_t *column,
                                        int columns, int width, PA_REAL *panel)
{
#if defined(PA_HAS_SHUFFLE)
    enum { STEPS = 2, PART = PA_LANES / 2 > PA_SHORT_RUN ? PA_LANES / 2 : PA_SHORT_RUN };
#else
    enum { STEPS = 1 };
#endif
    for (int64_t step = 1; step <= STEPS; step += 1) {
        int64_t length = PA_SHORT_RUN;
#if defined(PA_HAS_SHUFFLE)
        if (!pa_few_runs(column, columns, step, PA_LONG_RUN) &&
            pa_few_runs(row, count, count > 1 && row[1] == row[0] + 2 ? 2 : 1, PART))
            length = PA_LONG_RUN;
#endif
        if (pa_few_runs(column, columns, step, length)) {
            PA_NAME(pa_copy_runs)(b, first, last, row, count, column, step, columns, width, width, panel);
            return;
        }
    }
#if defined(PA_HAS_SHUFFLE)
    int64_t farthest = column[0];
    for (int j = 1; j < columns; j += 1) farthest = column[j] > farthest ? column[j] : farthest;
#endif
    for (int64_t k = 0; k < count;) {
        int64_t run = pa_run(row + k, count - k, 1);
#if defined(PA_HAS_SHUFFLE)
        const int64_t step = count - k > 1 && row[k + 1] == row[k] + 2 ? 2 : 1;
        if (step == 2) run = pa_run(row + k, count - k, 2);
        /* Less than a vector is turned together with what lies behind it, which the next stretch overwrites. */
        const int more = k + PA_LANES <= count && row[k] + farthest + step * (PA_LANES - 1) <= last;
        if (run >= PA_LANES || (run >= PART && more)) {
            PA_NAME(pa_pack_turned)(b + row[k], step, run > PA_LANES ? run : PA_LANES, column, columns, width,
                                    panel + k * width);
            k += run;
            continue;
        }
#endif
        if (run > PA_LANES) run = PA_LANES; /* stay within few lines */
        for (int j = 0; j < columns; j += 1)
            for (int64_t i = 0; i < run; i += 1) panel[(k + i) * width + j] = b[row[k + i] + column[j]];
        for (int64_t i = 0; i < run; i += 1)
            for (int j = columns; j < width; j += 1) panel[(k + i) * width + j] = 0;
        k += run;
    }
}

/* Copies rows of a, tile after tile, for each k the rows of the tile, PA_TILE_ROWS apart. */
PA_NOINLINE void PA_NAME(pa_pack_rows)(const PA_REAL *a, const int64_t *row, int64_t rows, const int64_t *column,
                                       int64_t count, int64_t room, PA_REAL *to)
{
    enum { MORE = 8 }; /* rows that are copied at a time; those that are too many are overwritten by the next ones */
    enum { FEW = 8 }; /* values of k, so that what they read stays close while the tiles take it */
    for (int64_t first = 0; first < count; first += FEW) {
        const int64_t end = first + FEW < count ? first + FEW : count;
        PA_REAL *at = to;
        for (int64_t i = 0, tile = 0; i < rows; i += tile, at += PA_TILE_ROWS * room) {
            tile = pa_tile_rows(rows, i, PA_TILE_ROWS);
            if (PA_TILE_ROWS <= MORE && i + MORE <= rows && pa_contiguous(row + i, MORE))
                for (int64_t k = first; k < end; k += 1)
                    memcpy(at + k * PA_TILE_ROWS, a + row[i] + column[k], MORE * sizeof(PA_REAL));
            else
                for (int64_t r = 0; r < tile; r += 1)
                    for (int64_t k = first; k < end; k += 1) at[k * PA_TILE_ROWS + r] = a[row[i + r] + column[k]];
        }
    }
}

/* A tile: `rows` rows of c, at c[i], by `vectors` vectors of columns, from the rows a[i][k * step] and b + k * next. */
PA_INLINE void PA_NAME(pa_tile_of)(const int rows, const int vectors, int64_t count, const PA_REAL *const *a, int64_t step,
                                   const PA_REAL *b, int64_t next, PA_REAL *const *c, int add)
{
    const int lanes = PA_VECTOR_BYTES / (int)sizeof(PA_REAL);
#if defined(__GNUC__) || defined(__clang__)
    const PA_NAME(pa_vector) zero = {0};
    PA_NAME(pa_vector) sum[PA_SLIM_ROWS][PA_TILE_VECTORS];
    for (int i = 0; i < rows; i += 1)
        for (int j = 0; j < vectors; j += 1) sum[i][j] = zero;
    if (rows == 1 || (c[1] - c[0]) * (int64_t)sizeof(PA_REAL) >= PA_FAR_BYTES)
        for (int i = 0; i < rows; i += 1) /* rows of c lie in different pages: they arrive while k runs */
            for (int j = 0; j < vectors; j += 1) PA_PREFETCH(c[i] + j * lanes);
    int64_t k = 0;
    do { /* there is a k at least; a loop that shows it lets compilers keep the sums in registers to the end */
        const PA_NAME(pa_vector) *const column = (const PA_NAME(pa_vector) *)(const void *)(b + k * next);
        for (int i = 0; i < rows; i += 1) {
            const PA_NAME(pa_vector) row = a[i][k * step] - zero; /* the same in all lanes */
            for (int j = 0; j < vectors; j += 1) sum[i][j] += row * column[j];
        }
        if (rows * vectors == 1) PA_NO_CHAIN(sum[0][0]);
        k += 1;
    } while (k < count);
    for (int i = 0; i < rows; i += 1) {
        PA_NAME(pa_vector) *const to = (PA_NAME(pa_vector) *)(void *)c[i];
        for (int j = 0; j < vectors; j += 1) {
            if (add)
                to[j] += sum[i][j];
            else
                to[j] = sum[i][j];
        }
    }
#else /* the same without vector types */
    PA_REAL sum[PA_SLIM_ROWS][PA_TILE_VECTORS * PA_VECTOR_BYTES / sizeof(PA_REAL)] = {{0}};
    for (int64_t k = 0; k < count; k += 1)
        for (int i = 0; i < rows; i += 1)
            for (int j = 0; j < vectors * lanes; j += 1)
                sum[i][j] = PA_NAME(PA_MULTIPLY_ADD)(a[i][k * step], b[k * next + j], sum[i][j]);
    for (int i = 0; i < rows; i += 1)
        for (int j = 0; j < vectors * lanes; j += 1) c[i][j] = add ? c[i][j] + sum[i][j] : sum[i][j];
#endif
}

/* One function for each shape of tile, so that its sums have registers of their own. */
#define PA_TILE(rows, vectors)                                                                                        \
    PA_NOINLINE void PA_NAME(pa_tile_##rows##x##vectors)(int64_t count, const PA_REAL *const *a, int64_t step,        \
                                                         const PA_REAL *b, int64_t next, PA_REAL *const *c, int add)  \
    {                                                                                                                 \
        PA_NAME(pa_tile_of)(rows, vectors, count, a, step, b, next, c, add);                                          \
    }
PA_TILES
#undef PA_TILE

PA_MAYBE_UNUSED static void PA_NAME(pa_tile)(int rows, int vectors, int64_t count, const PA_REAL *const *a,
                                             int64_t step, const PA_REAL *b, int64_t next, PA_REAL *const *c, int add)
{
#define PA_TILE(rows, vectors)                                                                                        \
    case rows * 8 + vectors: PA_NAME(pa_tile_##rows##x##vectors)(count, a, step, b, next, c, add); break;
    switch (rows * 8 + vectors) {
        PA_TILES
    default: break;
    }
#undef PA_TILE
}

#if defined(PA_HAS_SHUFFLE)
/* sum[i * PA_DOT_COLUMNS + j] = sum over k of a[i][k] * b[j][k], at first in lanes, which are then added up in halves;
 * zeros behind, to the end of a vector. */
PA_INLINE void PA_NAME(pa_dots_of)(const int rows, int64_t count, const PA_REAL *const *a, const PA_REAL *const *b,
                                   PA_REAL *sum)
{
    const PA_NAME(pa_vector) zero = {0};
    PA_NAME(pa_vector) lanes[PA_DOT_ROWS * PA_DOT_COLUMNS], row[PA_DOT_ROWS], v[PA_LANES];
    const int sums = rows * PA_DOT_COLUMNS;
    int64_t k = 0;
    for (int i = 0; i < sums; i += 1) lanes[i] = zero;
    do {
        for (int i = 0; i < rows; i += 1) row[i] = PA_NAME(pa_load)(a[i] + k, 1);
        for (int j = 0; j < PA_DOT_COLUMNS; j += 1) {
            const PA_NAME(pa_vector) column = PA_NAME(pa_load)(b[j] + k, 1);
            for (int i = 0; i < rows; i += 1) lanes[i * PA_DOT_COLUMNS + j] += row[i] * column;
        }
        k += PA_LANES;
    } while (k < count);
    for (int first = 0; first < sums; first += PA_LANES) {
        for (int i = 0; i < PA_LANES; i += 1) v[i] = first + i < sums ? lanes[first + i] : zero;
/* The halves of vectors i and i + half in turns: after all rounds lane i is the sum of vector i. */
#define PA_FOLD(first_halves, second_halves, half)                                                                    \
    for (int i = 0; i < half; i += 1) v[i] = first_halves(v[i], v[i + half]) + second_halves(v[i], v[i + half])
#if PA_LANES == 16
        PA_FOLD(PA_FIRST_16, PA_SECOND_16, 8);
        PA_FOLD(PA_FIRST_16, PA_SECOND_16, 4);
        PA_FOLD(PA_FIRST_16, PA_SECOND_16, 2);
        PA_FOLD(PA_FIRST_16, PA_SECOND_16, 1);
#elif PA_LANES == 8
        PA_FOLD(PA_FIRST_8, PA_SECOND_8, 4);
        PA_FOLD(PA_FIRST_8, PA_SECOND_8, 2);
        PA_FOLD(PA_FIRST_8, PA_SECOND_8, 1);
#elif PA_LANES == 4
        PA_FOLD(PA_FIRST_4, PA_SECOND_4, 2);
        PA_FOLD(PA_FIRST_4, PA_SECOND_4, 1);
#else
        PA_FOLD(PA_FIRST_2, PA_SECOND_2, 1);
#endif
#undef PA_FOLD
        *(PA_NAME(pa_vector) *)(void *)(sum + first) = v[0];
    }
}

/* One function for each number of rows, so that its sums have registers of their own. */
#define PA_DOT(rows)                                                                                                  \
    PA_NOINLINE void PA_NAME(pa_dots_##rows)(int64_t count, const PA_REAL *const *a, const PA_REAL *const *b,         \
                                             PA_REAL *sum)                                                            \
    {                                                                                                                 \
        PA_NAME(pa_dots_of)(rows, count, a, b, sum);                                                                  \
    }
PA_DOTS
#undef PA_DOT

/* pa_dots_of for whole vectors of terms. */
PA_MAYBE_UNUSED static void PA_NAME(pa_dots)(int rows, int64_t count, const PA_REAL *const *a, const PA_REAL *const *b,
                                             PA_REAL *sum)
{
#define PA_DOT(rows)                                                                                                  \
    case rows: PA_NAME(pa_dots_##rows)(count, a, b, sum); break;
    switch (rows) {
        PA_DOTS
    default: break;
    }
#undef PA_DOT
}

/* Adds the products of the last terms, fewer than a vector has: they are copied, with zeros behind them. */
PA_NOINLINE void PA_NAME(pa_add_rest)(int rows, int64_t first, int64_t count, const PA_REAL *const *a,
                                      const PA_REAL *const *b, PA_REAL *sum)
{
    PA_REAL rest[PA_DOT_ROWS + PA_DOT_COLUMNS][PA_LANES] = {{0}}, more[PA_DOT_SUMS];
    const PA_REAL *at[PA_DOT_ROWS + PA_DOT_COLUMNS];
    for (int i = 0; i < PA_DOT_ROWS + PA_DOT_COLUMNS; i += 1) {
        at[i] = rest[i];
        if (i < rows || i >= PA_DOT_ROWS)
            for (int64_t k = 0; k < count; k += 1) rest[i][k] = (i < rows ? a[i] : b[i - PA_DOT_ROWS])[first + k];
    }
    PA_NAME(pa_dots)(rows, PA_LANES, at, at + PA_DOT_ROWS, more);
    for (int i = 0; i < rows * PA_DOT_COLUMNS; i += 1) sum[i] += more[i];
}

/* Whether elements of c are sums of products of two rows of memory. It is asked of the whole, so that elements have the
 * same bits in all parts. Tiles add up another order: both are as fast for PA_DOT_MOST rows. */
PA_MAYBE_UNUSED static int PA_NAME(pa_is_dots)(const pa_contraction *p)
{
    return p->k.rank == 1 && p->a.columns[0] == 1 && p->b.rows[0] == 1 && pa_extent(&p->m) <= PA_DOT_MOST &&
           p->k.extent[0] >= PA_DOT_TERMS * PA_LANES;
}

/* pa_contract_part where pa_is_dots: few rows of a, and b as it stands. */
PA_NOINLINE void PA_NAME(pa_dot_part)(const pa_contraction *p, const PA_REAL *a, const PA_REAL *b, PA_REAL *c,
                                      PA_REAL scale, int add, int64_t m0, int64_t m1, int64_t n0, int64_t n1)
{
    const int64_t depth = p->k.extent[0], blocks = (depth + PA_DOT_BLOCK_K - 1) / PA_DOT_BLOCK_K;
    const int64_t block_k = (depth + blocks * PA_LANES - 1) / (blocks * PA_LANES) * PA_LANES; /* about equally large */
    int64_t a_row[PA_DOT_MOST], c_row[PA_DOT_MOST], b_column[PA_DOT_COLUMNS], c_column[PA_DOT_COLUMNS];
    PA_REAL sum[PA_DOT_SUMS];
    pa_offsets(&p->m, p->a.rows, m0, m1 - m0, a_row);
    pa_offsets(&p->m, p->c.rows, m0, m1 - m0, c_row);
    for (int64_t k = 0; k < depth; k += block_k) {
        const int64_t count = depth - k < block_k ? depth - k : block_k;
        const int64_t whole = count / PA_LANES * PA_LANES;
        const int adds = add || k > 0;
        for (int64_t n = n0; n < n1; n += PA_DOT_COLUMNS) {
            const int columns = n1 - n < PA_DOT_COLUMNS ? (int)(n1 - n) : PA_DOT_COLUMNS;
            const PA_REAL *b_of[PA_DOT_COLUMNS];
            pa_offsets(&p->n, p->b.columns, n, columns, b_column);
            pa_offsets(&p->n, p->c.columns, n, columns, c_column);
            for (int j = 0; j < PA_DOT_COLUMNS; j += 1) /* once more the last one, where there is none */
                b_of[j] = j < columns ? b + b_column[j] + k : b_of[j - 1];
            for (int64_t i = 0; i < m1 - m0;) {
                const int64_t left = m1 - m0 - i, tiles = (left + PA_DOT_ROWS - 1) / PA_DOT_ROWS;
                const int rows = (int)((left + tiles - 1) / tiles);
                const PA_REAL *a_of[PA_DOT_ROWS];
                for (int r = 0; r < rows; r += 1) a_of[r] = a + a_row[i + r] + k;
                if (whole > 0)
                    PA_NAME(pa_dots)(rows, whole, a_of, b_of, sum);
                else
                    memset(sum, 0, sizeof sum);
                if (whole < count) PA_NAME(pa_add_rest)(rows, whole, count - whole, a_of, b_of, sum);
                for (int r = 0; r < rows; r += 1)
                    for (int j = 0; j < columns; j += 1) {
                        PA_REAL *const to = c + c_row[i + r] + c_column[j];
                        const PA_REAL found = scale * sum[r * PA_DOT_COLUMNS + j];
                        *to = adds ? *to + found : found;
                    }
                i += rows;
            }
        }
    }
}
#endif

/* Rows m0 .. m1 - 1 by columns n0 .. n1 - 1 of c. `packed` holds all of b, and n0 begins a panel, or is null.
 * `add`: to what c holds; else c is overwritten. `space`: of this thread; in it lie, one after another,
 *
 *     offsets of the rows of a and c        16 bytes for each row of a block, of which there are PA_BLOCK_M at most
 *     a panel, unless b is packed           PA_PANEL_BYTES for each k of a block, of which there are PA_BLOCK_K
 *     copies of rows of a, unless `direct`  (k of a block + 16) elements a row, in all PA_COPY_BYTES at most
 */
PA_NOINLINE void PA_NAME(pa_contract_part)(const pa_contraction *p, const PA_REAL *a, const PA_REAL *b,
                                           const PA_REAL *packed, PA_REAL *c, PA_REAL scale, int add, int64_t m0,
                                           int64_t m1, int64_t n0, int64_t n1, unsigned char *space, int tiles_only)
{
    enum {
        WIDEST = PA_TILE_VECTORS * PA_VECTOR_BYTES / (int)sizeof(PA_REAL),
        COPIED = PA_ROWS_BYTES / PA_BLOCK_K / (int)sizeof(PA_REAL) / PA_TILE_ROWS * PA_TILE_ROWS,
        STANDING = PA_BLOCK_M * 4 / (int)sizeof(PA_REAL),
        SLIM = PA_SLIM_ROWS * PA_SLIM_VECTORS * PA_LANES, /* elements of a slim tile, and of any */
        EDGE = PA_TILE_ROWS * WIDEST > SLIM ? PA_TILE_ROWS * WIDEST : SLIM
    };
    const int64_t depth = pa_extent(&p->k), columns = pa_extent(&p->n);
    const int direct = (p->k.rank == 1 && p->a.columns[0] == 1) || /* rows are read where they stand */
                       pa_near(&p->k, p->a.columns, sizeof(PA_REAL), PA_NEAR_ROWS);
    const int near = pa_near(&p->k, p->b.rows, sizeof(PA_REAL), PA_NEAR_PANEL); /* and so are columns of b */
    /* Columns in a row, where all of b is near: a tile of rows takes them one panel after another, so that c is written
     * row by row, as memory likes it. */
    const int along = p->n.rank == 1 && p->c.columns[0] == 1 &&
                      (packed ? depth * columns * (int64_t)sizeof(PA_REAL) <= PA_NEAR_PANEL
                              : near && p->b.columns[0] == 1);
    /* Rows that fill few tiles of b as it stands: more of them in a tile, so that b is read less often, less of it at
     * a time, so that a first-level cache has it for the next tile. */
    const int few = !packed && PA_SLIM_ROWS > PA_TILE_ROWS && m1 - m0 > PA_TILE_ROWS && m1 - m0 <= PA_FEW_ROWS &&
                    p->k.rank == 1 && p->n.rank == 1 && p->b.columns[0] == 1;
    /* Rows that are copied, more than there is room for, are copied in half the length: panels serve twice as many. */
    const int halved = !direct && pa_extent(&p->m) > COPIED ? 2 : 1;
    const int64_t deepest = PA_BLOCK_K / halved;
    const int64_t blocks = (depth + deepest - 1) / deepest; /* of k, about equally large */
    const int64_t a_first = pa_farthest(&p->m, p->a.rows, -1) + pa_farthest(&p->k, p->a.columns, -1);
    const int64_t a_last = pa_farthest(&p->m, p->a.rows, 1) + pa_farthest(&p->k, p->a.columns, 1);
    const int64_t b_first = pa_farthest(&p->k, p->b.rows, -1) + pa_farthest(&p->n, p->b.columns, -1);
    const int64_t b_last = pa_farthest(&p->k, p->b.rows, 1) + pa_farthest(&p->n, p->b.columns, 1);
    const int64_t block_k = blocks > 0 ? (depth + blocks - 1) / blocks : 1;
    /* From row to row of a copy: where there is much of it no power of two, so that rows share few lines of a cache. */
    const int64_t room = block_k + 16 < PA_ROW_ROOM / halved ? block_k + 16 : PA_ROW_ROOM / halved;
    const int64_t most = direct ? STANDING : COPIED * halved;
    const int64_t parts = (m1 - m0 + most - 1) / most; /* of m, about equally large */
    const int64_t tiles = parts > 0 ? ((m1 - m0 + parts - 1) / parts + PA_TILE_ROWS - 1) / PA_TILE_ROWS : 1;
    const int64_t block = tiles * PA_TILE_ROWS;
    const int64_t longest = m1 - m0 < block ? m1 - m0 : block;
    const size_t tables = PA_ALIGN_UP((size_t)longest * sizeof(int64_t));
    int64_t *const a_row = (int64_t *)(void *)space, *const c_row = (int64_t *)(void *)(space + tables);
    PA_REAL *const panel = (PA_REAL *)(void *)(space + 2 * tables);
    PA_REAL *const rows_space = packed ? panel : panel + block_k * WIDEST;
    PA_REAL edge[EDGE];
    int64_t a_k[PA_BLOCK_K], b_k[PA_BLOCK_K], b_column[WIDEST], c_column[WIDEST];
    if (longest <= 0) return;
    PA_UNUSED(tiles_only);
#if defined(PA_HAS_SHUFFLE)
    if (!packed && !tiles_only && PA_NAME(pa_is_dots)(p)) {
        PA_NAME(pa_dot_part)(p, a, b, c, scale, add, m0, m1, n0, n1);
        return;
    }
#endif
    for (int64_t m = m0; m < m1; m += block) {
        const int64_t some = m1 - m < block ? m1 - m : block;
        pa_offsets(&p->m, p->a.rows, m, some, a_row);
        pa_offsets(&p->m, p->c.rows, m, some, c_row);
        for (int64_t k = 0; k < depth; k += block_k) {
            const int64_t count = depth - k < block_k ? depth - k : block_k;
            const int adds = add || k > 0;
            int64_t step = direct ? p->a.columns[0] : 1, next = room; /* from one k, and from one row, to the next */
            int standing = direct;
            if (!direct) {
                pa_offsets(&p->k, p->a.columns, k, count, a_k);
                if (pa_contiguous(a_k, count))
                    standing = 1;
                else if (pa_few_runs(a_k, count, 1, PA_SHORT_RUN))
                    PA_NAME(pa_copy_runs)(a, a_first, a_last, a_row, some, a_k, 1, (int)count, (int)count, room, rows_space);
                else {
                    PA_NAME(pa_pack_rows)(a, a_row, some, a_k, count, room, rows_space);
                    step = PA_TILE_ROWS, next = 1;
                }
            }
            if (!packed) pa_offsets(&p->k, p->b.rows, k, count, b_k);
            const int slim = few && next != 1; /* rows that are packed are packed for the other tiles */
            for (int64_t n = n0; n < n1;) {
                const int width = PA_NAME(pa_panel)(n, packed ? columns : n1, slim ? PA_SLIM_VECTORS : PA_TILE_VECTORS);
                const int wide = n1 - n < width ? (int)(n1 - n) : width;
                const PA_REAL *from = packed + n * depth + k * width;
                int64_t b_next = width;
                if (!packed) {
                    pa_offsets(&p->n, p->b.columns, n, wide, b_column);
                    if (wide == width && p->k.rank == 1 &&
                        (p->b.rows[0] == width || near || m1 - m0 <= PA_FEW_ROWS) &&
                        pa_contiguous(b_column, wide)) { /* as good as a panel, or read too seldom for a copy */
                        from = b + b_k[0] + b_column[0];
                        b_next = p->b.rows[0];
                    } else {
                        PA_NAME(pa_pack_panel)(b, b_first, b_last, b_k, count, b_column, wide, width, panel);
                        from = panel;
                    }
                }
                pa_offsets(&p->n, p->c.columns, n, wide, c_column);
                /* What does not end in memory as it stands in a tile takes the way of the edges. */
                const int whole = wide == width && pa_contiguous(c_column, wide) && scale == 1;
                const int64_t panels = whole && along && width == WIDEST && from != panel ? (n1 - n) / width : 1;
                const int64_t b_panel = packed ? width * depth : width;
                const int tall = slim && width == PA_SLIM_VECTORS * PA_LANES;
                const PA_REAL *copied = rows_space;
                for (int64_t i = 0; i < some;) {
                    const int rows = tall ? pa_tile_rows(some, i, PA_SLIM_ROWS) : pa_tile_rows(some, i, PA_TILE_ROWS);
                    const PA_REAL *a_of[PA_SLIM_ROWS];
                    PA_REAL *c_of[PA_SLIM_ROWS];
                    for (int r = 0; r < rows; r += 1) {
                        a_of[r] = standing ? a + a_row[i + r] + (direct ? k * step : a_k[0]) : copied + r * next;
                        c_of[r] = whole ? c + c_row[i + r] + c_column[0] : edge + r * width;
                    }
                    for (int64_t j = 0; j < panels; j += 1) {
                        PA_NAME(pa_tile)(rows, width / PA_LANES, count, a_of, step, from + j * b_panel, b_next, c_of,
                                         adds && whole);
                        for (int r = 0; r < rows && j + 1 < panels; r += 1) c_of[r] += width;
                    }
                    for (int r = 0; r < rows && !whole; r += 1)
                        for (int j = 0; j < wide; j += 1) {
                            PA_REAL *const to = c + c_row[i + r] + c_column[j];
                            *to = (adds ? *to : (PA_REAL)0) + scale * edge[r * width + j];
                        }
                    i += rows;
                    copied += (next == 1 ? PA_TILE_ROWS : rows) * room;
                }
                n += panels * width;
            }
        }
    }
}

/* The whole of c. Called outside of parallel loops, it shares m or n among the threads: what makes the largest part the
 * smaller one. A part of the rows copies all panels, which is as much work as some more rows. */
PA_NOINLINE void PA_NAME(pa_contract_shared)(const pa_contraction *p, const PA_REAL *a, const PA_REAL *b,
                                             const PA_REAL *packed, PA_REAL *c, PA_REAL scale, int add,
                                             const pa_room *room)
{
    const int64_t m = pa_extent(&p->m), n = pa_extent(&p->n);
    unsigned char *space = room->first;
#if defined(_OPENMP)
    const int64_t most = omp_get_max_threads(), workers = most < room->copies ? most : room->copies;
    if (omp_get_level() > room->level) space += (size_t)omp_get_thread_num() * room->each;
    if (!omp_in_parallel() && workers > 1 && (double)m * (double)n * (double)pa_extent(&p->k) > PA_WORTH) {
        const int64_t widest = PA_TILE_VECTORS * PA_VECTOR_BYTES / (int64_t)sizeof(PA_REAL);
        const int64_t panel = packed || n >= 8 * workers * widest ? widest : widest / 2; /* a unit of columns */
        const int64_t rows = (m + PA_TILE_ROWS * workers - 1) / (PA_TILE_ROWS * workers) * PA_TILE_ROWS;
        const int64_t some = (n + panel * workers - 1) / (panel * workers) * panel, copies = packed ? 0 : PA_COPY_ROWS;
        const int by_rows = (double)(rows + copies) * (double)n <= (double)(m + copies) * (double)some;
#pragma omp parallel num_threads((int)workers)
        {
            unsigned char *const own = room->first + (size_t)omp_get_thread_num() * room->each;
            int64_t first = 0, end = 0;
            pa_part(by_rows ? m : n, by_rows ? PA_TILE_ROWS : panel, omp_get_thread_num(), omp_get_num_threads(), &first,
                    &end);
            if (by_rows)
                PA_NAME(pa_contract_part)(p, a, b, packed, c, scale, add, first, end, 0, n, own, 0);
            else
                PA_NAME(pa_contract_part)(p, a, b, packed, c, scale, add, 0, m, first, end, own, 0);
        }
        return;
    }
#endif
    PA_NAME(pa_contract_part)(p, a, b, packed, c, scale, add, 0, m, 0, n, space, 0);
}

#if defined(PA_BLAS)
/* Row-major C := alpha op(A) op(B) + beta C, as in the C interface of BLAS. */
extern void PA_BLAS_CALL(PA_GEMM)(int order, int transpose_a, int transpose_b, PA_BLAS_INT m, PA_BLAS_INT n, PA_BLAS_INT k,
                             PA_REAL alpha, const PA_REAL *a, PA_BLAS_INT a_rows, const PA_REAL *b, PA_BLAS_INT b_rows,
                             PA_REAL beta, PA_REAL *c, PA_BLAS_INT c_rows);

/* Sends a contraction to BLAS; 0 where it is small, or no product of matrices as BLAS wants them. */
PA_NOINLINE int PA_NAME(pa_blas)(const pa_contraction *p, const PA_REAL *a, const PA_REAL *b, PA_REAL *c, PA_REAL scale,
                                 int add)
{
    enum { ROW_MAJOR = 101, PLAIN = 111, TRANSPOSED = 112 };
    const int64_t m = pa_extent(&p->m), n = pa_extent(&p->n), k = pa_extent(&p->k);
    if (m < 2 || n < 2 || k < 2 || (double)m * (double)n * (double)k < PA_BLAS_WORTH) return 0;
#if defined(_OPENMP)
    if (omp_in_parallel()) return 0;
#endif
    if (!pa_one_loop(&p->m, p->a.rows, p->c.rows) || !pa_one_loop(&p->n, p->b.columns, p->c.columns) ||
        !pa_one_loop(&p->k, p->a.columns, p->b.rows))
        return 0;
    const int i = p->m.rank - 1, j = p->n.rank - 1, l = p->k.rank - 1;
    const int plain_a = p->a.columns[l] == 1, plain_b = p->b.columns[j] == 1;
    const int64_t a_rows = plain_a ? p->a.rows[i] : p->a.columns[l], b_rows = plain_b ? p->b.rows[l] : p->b.columns[j];
    const int64_t c_rows = p->c.rows[i];
    if (p->c.columns[j] != 1 || (!plain_a && p->a.rows[i] != 1) || (!plain_b && p->b.rows[l] != 1)) return 0;
    if (c_rows < n || a_rows < (plain_a ? k : m) || b_rows < (plain_b ? n : k)) return 0;
    if (m > INT32_MAX || n > INT32_MAX || k > INT32_MAX || a_rows > INT32_MAX || b_rows > INT32_MAX || c_rows > INT32_MAX)
        return 0;
    PA_BLAS_CALL(PA_GEMM)(ROW_MAJOR, plain_a ? PLAIN : TRANSPOSED, plain_b ? PLAIN : TRANSPOSED, (PA_BLAS_INT)m, (PA_BLAS_INT)n,
                     (PA_BLAS_INT)k, scale, a, (PA_BLAS_INT)a_rows, b, (PA_BLAS_INT)b_rows, (PA_REAL)(add ? 1 : 0), c,
                     (PA_BLAS_INT)c_rows);
    return 1;
}
#endif

PA_CONTRACTION_API void PA_NAME(pa_contract)(const pa_contraction *p, const PA_REAL *a, const PA_REAL *b, PA_REAL *c,
                                             PA_REAL scale, int add, const pa_room *room)
{
#if defined(PA_BLAS)
    if (PA_NAME(pa_blas)(p, a, b, c, scale, add)) return;
#endif
    PA_NAME(pa_contract_shared)(p, a, b, NULL, c, scale, add, room);
}

PA_CONTRACTION_API void PA_NAME(pa_contract_share)(const pa_contraction *p, const PA_REAL *a, const PA_REAL *b,
                                                   PA_REAL *c, PA_REAL scale, int add, const pa_room *room)
{
    unsigned char *space = room->first;
#if defined(_OPENMP)
    if (omp_get_level() > room->level) space += (size_t)omp_get_thread_num() * room->each;
#endif
    PA_NAME(pa_contract_part)(p, a, b, NULL, c, scale, add, 0, pa_extent(&p->m), 0, pa_extent(&p->n), space, 1);
}

PA_CONTRACTION_API void PA_NAME(pa_contract_packed)(const pa_contraction *p, const PA_REAL *a, const PA_REAL *packed,
                                                    PA_REAL *c, PA_REAL scale, int add, const pa_room *room)
{
    PA_NAME(pa_contract_shared)(p, a, NULL, packed, c, scale, add, room);
}

/* Copies b[k .. k + count - 1, all columns] into panels. */
PA_NOINLINE void PA_NAME(pa_pack_some)(const pa_contraction *p, const PA_REAL *b, PA_REAL *packed, int64_t k, int64_t count,
                                       int64_t n0, int64_t n1)
{
    const int64_t depth = pa_extent(&p->k), columns = pa_extent(&p->n);
    const int64_t first = pa_farthest(&p->k, p->b.rows, -1) + pa_farthest(&p->n, p->b.columns, -1);
    const int64_t last = pa_farthest(&p->k, p->b.rows, 1) + pa_farthest(&p->n, p->b.columns, 1);
    int64_t row[PA_BLOCK_K], column[PA_TILE_VECTORS * PA_LANES];
    pa_offsets(&p->k, p->b.rows, k, count, row);
    for (int64_t n = n0; n < n1;) {
        const int width = PA_NAME(pa_panel)(n, columns, PA_TILE_VECTORS);
        const int wide = columns - n < width ? (int)(columns - n) : width;
        pa_offsets(&p->n, p->b.columns, n, wide, column);
        PA_NAME(pa_pack_panel)(b, first, last, row, count, column, wide, width, packed + n * depth + k * width);
        n += width;
    }
}

PA_CONTRACTION_API void PA_NAME(pa_pack)(const pa_contraction *p, const PA_REAL *b, PA_REAL *packed)
{
    const int64_t depth = pa_extent(&p->k), columns = pa_extent(&p->n);
    const int64_t few = 32, widest = PA_TILE_VECTORS * PA_LANES;
    if (p->b.columns[p->n.rank - 1] == 1) { /* few rows at a time, so that each page of b is visited once */
        PA_PRAGMA(omp parallel for if (!omp_in_parallel() && (double)depth * (double)columns > PA_WORTH))
        for (int64_t k = 0; k < depth; k += few)
            PA_NAME(pa_pack_some)(p, b, packed, k, depth - k < few ? depth - k : few, 0, columns);
    } else {
        PA_PRAGMA(omp parallel for if (!omp_in_parallel() && (double)depth * (double)columns > PA_WORTH))
        for (int64_t n = 0; n < columns; n += widest)
            for (int64_t k = 0; k < depth; k += PA_BLOCK_K)
                PA_NAME(pa_pack_some)(p, b, packed, k, depth - k < PA_BLOCK_K ? depth - k : PA_BLOCK_K, n,
                                      columns - n < widest ? columns : n + widest);
    }
}

#endif
