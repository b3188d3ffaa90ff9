/*
 * polyad_cuda_scans.h: s = mul * s + add over many steps, by all blocks of a grid; a part of polyad_cuda.h.
 *
 * Steps combine: (m, a) and then (m', a') is the step (m' m, m' a + a'). The steps of a row are cut into segments, and
 * these into tiles of PA_SCAN_TILE(lanes) steps. A first launch combines the steps of each segment; in a second one, a
 * block combines the segments before its own, and runs through its tiles. Where there is one segment, one launch does all.
 * So no block waits for another, and the order of all operations follows from sizes alone.
 *
 * A block has 256 threads, each with 8 steps of a tile, one after the other. Rows lie along memory: a block reads one, side
 * by side. Or they lie across: then 32 neighbouring ones are the lanes of a block.
 *
 * Combined steps are double, and their factors have a scale besides, so that they leave no range that single steps stay
 * in. What single steps keep small may be the difference of large numbers where steps are combined: such a difference is
 * made nan. Where a state is not finite, for this reason or another, steps are run singly, as on a CPU.
 */
#ifndef POLYAD_CUDA_SCANS_H
#define POLYAD_CUDA_SCANS_H

#define PA_SCAN_THREADS 256
#define PA_SCAN_EACH 8
#define PA_SCAN_TILE(lanes) (PA_SCAN_THREADS / (lanes) * PA_SCAN_EACH)

/* Rows have no more segments than make so many blocks: about as many as a device holds at once. */
#if !defined(PA_SCAN_BLOCKS)
#define PA_SCAN_BLOCKS 1024
#endif

/* What varies from step to step. */
#define PA_SCAN_sum 0
#define PA_SCAN_prod 1
#define PA_SCAN_affine 2

/* Several steps as one: s -> mul * 2^(600 scale) * s + add. */
typedef struct { double mul, add; int scale; } pa_step;

PA_INLINE pa_step pa_no_step(void)
{
    const pa_step none = {1.0, 0.0, 0};
    return none;
}

PA_INLINE bool pa_is_finite(double x) { return x - x == 0.0; }

/* The same step with a factor that is 0, or from 2^-300 to 2^300, if it was from 2^-900 to 2^900. */
PA_INLINE pa_step pa_scaled(pa_step s)
{
    const double size = fabs(s.mul);
    if (size > 0x1p300 && size < INFINITY) s.mul *= 0x1p-600, ++s.scale;
    if (size < 0x1p-300 && size > 0.0) s.mul *= 0x1p600, --s.scale;
    return s;
}

/* The factor of a step times x. Beyond a scale of 4 all is 0 or infinite; what is computed on the way is not, before. */
PA_INLINE double pa_moved(pa_step s, double x)
{
    if (s.scale == 0) return s.mul * x;
    const double half = s.scale < 0 ? 0x1p-300 : 0x1p300;
    const int times = s.scale < 0 ? -s.scale : s.scale;
    double y = x * half * s.mul * half;
    PA_UNROLL_BY(1)
    for (int n = 1; n < 4 && n < times; ++n) y = y * half * half;
    return y;
}

/* A state behind a step; nan where it has grown by 2^16, and so much is gone again, if that is looked at. */
template <int kind, bool looks> PA_INLINE double pa_behind(pa_step s, double state)
{
    if constexpr (kind == PA_SCAN_sum) return state + s.add;
    const double grown = pa_moved(s, state);
    if constexpr (kind == PA_SCAN_prod) return grown;
    const double after = grown + s.add;
    if (looks && fabs(grown) > 0x1p16 * fabs(state) && fabs(grown) > 0x1p16 * fabs(after)) return NAN;
    return after;
}

/* One step, and then another. */
template <int kind, bool looks = true> PA_INLINE pa_step pa_then(pa_step first, pa_step second)
{
    pa_step both = second;
    if constexpr (kind != PA_SCAN_sum) {
        const int scale = first.scale + second.scale;
        both.mul = first.mul * second.mul;
        both.scale = scale < -(1 << 20) ? -(1 << 20) : scale > 1 << 20 ? 1 << 20 : scale;
        both = pa_scaled(both);
    }
    if constexpr (kind != PA_SCAN_prod) both.add = pa_behind<kind, looks>(second, first.add);
    return both;
}

/* A single step. */
template <int kind, class T> PA_INLINE T pa_single(T mul, T add, T state)
{
    if constexpr (kind == PA_SCAN_sum) return state + add;
    if constexpr (kind == PA_SCAN_prod) return state * mul;
    return mul * state + add;
}

template <int kind> PA_INLINE pa_step pa_lane_before(pa_step own, int apart)
{
    pa_step found = own;
    if constexpr (kind != PA_SCAN_sum) {
        found.mul = __shfl_up_sync(0xffffffffu, own.mul, apart);
        found.scale = __shfl_up_sync(0xffffffffu, own.scale, apart);
    }
    if constexpr (kind != PA_SCAN_prod) found.add = __shfl_up_sync(0xffffffffu, own.add, apart);
    return found;
}

/* What the threads of a lane before this one have, combined, and what all of them have; in one order. Threads have to
 * meet between two calls. */
template <int kind, int lanes> PA_INLINE pa_step pa_combined(pa_step own, pa_step *all)
{
    __shared__ pa_step parts[PA_SCAN_THREADS / 32][lanes];
    const int warp = (int)threadIdx.x / 32, lane = (int)threadIdx.x % 32, column = lane % lanes;
    pa_step until = own, before = pa_no_step(), sum = pa_no_step(), warps = pa_no_step();
    if constexpr (lanes == 1) {
        for (int apart = 1; apart < 32; apart *= 2) {
            const pa_step left = pa_lane_before<kind>(until, apart);
            if (lane >= apart) until = pa_then<kind>(left, until);
        }
        const pa_step left = pa_lane_before<kind>(until, 1);
        if (lane > 0) before = left;
    }
    if (lane >= 32 - lanes) parts[warp][column] = until;
    __syncthreads();
    PA_UNROLL_BY(1)
    for (int n = 0; n < PA_SCAN_THREADS / 32; ++n) {
        if (n == warp) warps = sum;
        sum = pa_then<kind>(sum, parts[n][column]);
    }
    *all = sum;
    return pa_then<kind>(warps, before);
}

/* Whether something holds for a thread of the block. Threads have to meet between two calls. */
PA_INLINE bool pa_some(bool own)
{
    __shared__ int found[PA_SCAN_THREADS / 32];
    const int in_warp = __any_sync(0xffffffffu, own);
    if (threadIdx.x % 32 == 0) found[threadIdx.x / 32] = in_warp;
    __syncthreads();
    int all = 0;
    for (int n = 0; n < PA_SCAN_THREADS / 32; ++n) all |= found[n];
    return all != 0;
}

/* A tile in shared memory: first the factors and terms of its steps, then the states around them. */
template <int kind, int lanes, class T> struct pa_tile {
    static const int each = PA_SCAN_EACH, apart = PA_SCAN_THREADS / lanes, steps = PA_SCAN_TILE(lanes);
    static const int size = lanes == 1 ? steps + apart + 1 : (steps + 1) * lanes;
    T mul[kind == PA_SCAN_sum ? 1 : size], add[kind == PA_SCAN_prod ? 1 : size];

    /* Threads read 8 steps each: where they are those of one row, there is a place left between, so that they read from
     * different banks. */
    static PA_HERE int at(int step)
    {
        return lanes == 1 ? step + step / each : step * lanes + (int)threadIdx.x % lanes;
    }
    PA_HERE T *states(void) { return kind == PA_SCAN_prod ? mul : add; }

    /* The steps from one on, as far as there are that many; all other ones do nothing. */
    template <class Terms> PA_HERE void load(bool here, int64_t from, int64_t end, const Terms &terms)
    {
        T m[each], a[each];
        PA_UNROLL_BY(8)
        for (int n = 0; n < each; ++n) {
            const int64_t step = from + (int)threadIdx.x / lanes + n * apart;
            m[n] = 1, a[n] = 0;
            if (here && step < end) terms(step, m[n], a[n]);
        }
        PA_UNROLL_BY(8)
        for (int n = 0; n < each; ++n) {
            const int place = at((int)threadIdx.x / lanes + n * apart);
            if constexpr (kind != PA_SCAN_sum) mul[place] = m[n];
            if constexpr (kind != PA_SCAN_prod) add[place] = a[n];
        }
    }

    PA_HERE void step(int number, T *m, T *a) const
    {
        *m = 1, *a = 0;
        if constexpr (kind != PA_SCAN_sum) *m = mul[at(number)];
        if constexpr (kind != PA_SCAN_prod) *a = add[at(number)];
    }

    /* The steps of this thread, one by one and combined. Eight factors of float32 stay in the range of double. */
    PA_HERE pa_step own(T *m, T *a) const
    {
        pa_step sum = pa_no_step();
        PA_UNROLL_BY(8)
        for (int n = 0; n < each; ++n) {
            step((int)threadIdx.x / lanes * each + n, &m[n], &a[n]);
            const pa_step one = {(double)m[n], (double)a[n], 0};
            if constexpr (sizeof(T) == 8) {
                sum = pa_then<kind, false>(sum, kind == PA_SCAN_sum ? one : pa_scaled(pa_scaled(one)));
            } else {
                sum.add = pa_behind<kind, false>(one, sum.add);
                if constexpr (kind != PA_SCAN_sum) sum.mul *= one.mul;
            }
        }
        return kind == PA_SCAN_sum || sizeof(T) == 8 ? sum : pa_scaled(pa_scaled(sum));
    }

    /* All steps one after the other, by one thread for each lane; states take the places of terms. */
    PA_HERE void singly(double state)
    {
        if ((int)threadIdx.x >= lanes) return;
        T now = (T)state;
        PA_UNROLL_BY(1)
        for (int n = 0; n < steps; ++n) {
            T m, a;
            step(n, &m, &a);
            states()[at(n)] = now;
            now = pa_single<kind, T>(m, a, now);
        }
        states()[at(steps)] = now;
    }
};

/* Whether a state may be another than that of single steps: nan stays nan in any order. */
PA_INLINE bool pa_is_odd(double before, double after) { return !pa_is_finite(after) && before == before; }

/* How many segments the steps of a row have: enough for all rows to fill the blocks, if there are tiles enough. */
PA_INLINE int64_t pa_scan_segments(int64_t rows, int64_t steps, int64_t lanes)
{
    const int64_t tiles = (steps + PA_SCAN_TILE(lanes) - 1) / PA_SCAN_TILE(lanes), groups = (rows + lanes - 1) / lanes;
    const int64_t most = groups < 1 ? 1 : PA_SCAN_BLOCKS / groups;
    if (tiles < 2 || most < 2) return 1;
    const int64_t each = (tiles + most - 1) / most;
    return (tiles + each - 1) / each;
}

/* The steps of one segment: [first, end). */
template <int lanes> struct pa_segment_of {
    int64_t first, end;
    PA_HERE pa_segment_of(int64_t steps, int64_t segments, int64_t number)
    {
        const int64_t tiles = (steps + PA_SCAN_TILE(lanes) - 1) / PA_SCAN_TILE(lanes);
        const int64_t each = (tiles + segments - 1) / segments * PA_SCAN_TILE(lanes);
        first = number * each;
        end = first + each < steps ? first + each : steps;
    }
};

/* The row of a lane in all blocks: which it is, whether there is one, its segments and its steps. */
typedef struct { int64_t row, rows, segment, segments, steps; } pa_row_of;

PA_INLINE bool pa_is_here(pa_row_of r) { return r.row < r.rows; }

/* Where the first state of a row is kept, and a segment of it. */
PA_INLINE double *pa_first_state(double *memory, pa_row_of r) { return memory + r.row; }
PA_INLINE double *pa_whole_segment(double *memory, pa_row_of r, int64_t number)
{
    return memory + r.rows + 3 * (r.row * r.segments + number);
}
PA_INLINE pa_step pa_read_segment(double *memory, pa_row_of r, int64_t number)
{
    const double *at = pa_whole_segment(memory, r, number);
    const pa_step found = {at[0], at[1], (int)at[2]};
    return found;
}

/* The first launch: what the segments of a row are, but the last one, and the state that it starts from. */
template <int kind, int lanes, class T, class Terms, class Start>
PA_INLINE void pa_scan_totals(double *memory, pa_row_of r, const Terms &terms, const Start &start)
{
    __shared__ pa_tile<kind, lanes, T> tile;
    const bool first_thread = (int)threadIdx.x < lanes && pa_is_here(r);
    if (r.segment == r.segments - 1) return;
    if (first_thread && r.segment == 0) *pa_first_state(memory, r) = (double)start();
    const pa_segment_of<lanes> own(r.steps, r.segments, r.segment);
    pa_step sum = pa_no_step();
    for (int64_t from = own.first; from < own.end; from += PA_SCAN_TILE(lanes)) {
        T m[PA_SCAN_EACH], a[PA_SCAN_EACH];
        pa_step all;
        tile.load(pa_is_here(r), from, own.end, terms);
        __syncthreads(); /* totals: the steps are there */
        pa_combined<kind, lanes>(tile.own(m, a), &all);
        sum = pa_then<kind>(sum, all);
    }
    if (first_thread) {
        double *at = pa_whole_segment(memory, r, r.segment);
        at[0] = sum.mul, at[1] = sum.add, at[2] = (double)sum.scale;
    }
}

/* The state that a segment starts from: that of all segments before it, combined, or run step by step. */
template <int kind, int lanes, class T, class Terms>
PA_INLINE double pa_state_before(pa_tile<kind, lanes, T> &tile, double *memory, pa_row_of r, const Terms &terms)
{
    const bool here = pa_is_here(r);
    const double first = here ? *pa_first_state(memory, r) : 0.0;
    const int64_t each = (r.segment + pa_tile<kind, lanes, T>::apart - 1) / pa_tile<kind, lanes, T>::apart;
    const int64_t from = (int64_t)threadIdx.x / lanes * each;
    pa_step mine = pa_no_step(), all;
    PA_UNROLL_BY(1)
    for (int64_t n = from; here && n < from + each && n < r.segment; ++n)
        mine = pa_then<kind>(mine, pa_read_segment(memory, r, n));
    pa_combined<kind, lanes>(mine, &all);
    double state = pa_behind<kind, true>(all, first);
    if (!pa_some(pa_is_odd(first, state))) return state;
    state = first;
    for (int64_t n = 0; n < r.segment; ++n) {
        const double after = here ? pa_behind<kind, true>(pa_read_segment(memory, r, n), state) : 0.0;
        __syncthreads(); /* walk: all have asked */
        if (pa_some(pa_is_odd(state, after))) {
            const pa_segment_of<lanes> whole(r.steps, r.segments, n);
            for (int64_t at = whole.first; at < whole.end; at += PA_SCAN_TILE(lanes)) {
                tile.load(here, at, whole.end, terms);
                __syncthreads(); /* walk: the steps are there */
                tile.singly(state);
                __syncthreads(); /* walk: the states are there */
                state = (double)tile.states()[tile.at(tile.steps)]; /* no step that is loaded takes this place */
            }
        } else {
            state = after;
        }
    }
    return state;
}

/* The tiles of a segment, from a state on. */
template <int kind, int lanes, class T, class Terms, class Results>
PA_INLINE void pa_scan_tiles(pa_tile<kind, lanes, T> &tile, double state, pa_row_of r, const Terms &terms, const Results &results)
{
    const pa_segment_of<lanes> own(r.steps, r.segments, r.segment);
    const int place = (int)threadIdx.x / lanes;
    for (int64_t from = own.first; from < own.end; from += PA_SCAN_TILE(lanes)) {
        T m[PA_SCAN_EACH], a[PA_SCAN_EACH], before[PA_SCAN_EACH];
        pa_step all;
        tile.load(pa_is_here(r), from, own.end, terms);
        __syncthreads(); /* tiles: the steps are there */
        const pa_step earlier = pa_combined<kind, lanes>(tile.own(m, a), &all);
        const double after = pa_behind<kind, true>(all, state);
        T now = (T)pa_behind<kind, true>(earlier, state);
        bool odd = pa_is_odd(state, (double)(T)after) || pa_is_odd(state, (double)now);
        PA_UNROLL_BY(8)
        for (int n = 0; n < PA_SCAN_EACH; ++n) {
            before[n] = now;
            now = pa_single<kind, T>(m[n], a[n], now);
            odd = odd || pa_is_odd(state, (double)now);
        }
        const bool by_one = pa_some(odd);
        if (by_one) {
            tile.singly(state);
        } else {
            PA_UNROLL_BY(8)
            for (int n = 0; n < PA_SCAN_EACH; ++n) tile.states()[tile.at(place * PA_SCAN_EACH + n)] = before[n];
            if (place == tile.apart - 1) tile.states()[tile.at(tile.steps)] = (T)after;
        }
        __syncthreads(); /* tiles: the states are there */
        PA_UNROLL_BY(8)
        for (int n = 0; n < PA_SCAN_EACH; ++n) {
            const int step = place + n * tile.apart;
            if (pa_is_here(r) && from + step < own.end)
                results(from + step, tile.states()[tile.at(step)], tile.states()[tile.at(step + 1)]);
        }
        state = by_one ? (double)tile.states()[tile.at(tile.steps)] : after;
        __syncthreads(); /* tiles: the states have been read */
    }
}

/* The second launch, or the only one, without memory, of rows that have one segment each. */
template <int kind, int lanes, class T, class Terms, class Start, class Results>
PA_INLINE void pa_scan_states(double *memory, pa_row_of r, const Terms &terms, const Start &start, const Results &results)
{
    __shared__ pa_tile<kind, lanes, T> tile;
    double state = 0.0;
    if (memory != NULL && r.segments > 1)
        state = pa_state_before<kind, lanes, T>(tile, memory, r, terms);
    else if (pa_is_here(r) && r.steps > 0)
        state = (double)start();
    pa_scan_tiles<kind, lanes, T>(tile, state, r, terms, results);
}

/* What stands in a kernel. Around these macros are pa_rows and pa_segments; blocks say what the terms of step pa_at of row
 * pa_row are, which state it starts from, and what becomes of the states around a step. */
#define PA_SCANS(lanes)                                                                                                   \
    for (int64_t pa_number = PA_BLOCK; pa_number < (pa_rows + lanes - 1) / lanes * pa_segments; pa_number += PA_BLOCKS) {  \
        const int64_t pa_segment = pa_number % pa_segments;                                                                \
        const int64_t pa_row = pa_number / pa_segments * lanes + (int64_t)threadIdx.x % lanes;
#define PA_SCAN_TERMS(suffix) \
    const auto pa_terms = [&](const int64_t pa_at, PA_TYPE_##suffix &pa_mul, PA_TYPE_##suffix &pa_add)
#define PA_SCAN_TERM(mul, add) pa_mul = (mul), pa_add = (add);
#define PA_SCAN_START(suffix) ; const auto pa_start = [&]() -> PA_TYPE_##suffix
#define PA_SCAN_FROM(state) return state;
#define PA_SCAN_RESULTS(suffix)                                                                       \
    ; const auto pa_results = [&](const int64_t pa_at, const PA_TYPE_##suffix pa_before_##suffix,        \
                                  const PA_TYPE_##suffix pa_after_##suffix)
#define PA_SCAN_ROW const pa_row_of pa_own = {pa_row, pa_rows, pa_segment, pa_segments, pa_steps};
#define PA_SCAN_OF(kind, suffix, lanes) <PA_SCAN_##kind, lanes, PA_TYPE_##suffix>
#define PA_SCAN_TOTALS(kind, suffix, lanes, memory) \
    ; PA_SCAN_ROW pa_scan_totals PA_SCAN_OF(kind, suffix, lanes)(memory, pa_own, pa_terms, pa_start);
#define PA_SCAN_STATES(kind, suffix, lanes, memory) \
    ; PA_SCAN_ROW pa_scan_states PA_SCAN_OF(kind, suffix, lanes)(memory, pa_own, pa_terms, pa_start, pa_results);
#define PA_SCAN_ALL(kind, suffix, lanes) PA_SCAN_STATES(kind, suffix, lanes, (double *)NULL)
#define PA_SCANS_END }

#endif
