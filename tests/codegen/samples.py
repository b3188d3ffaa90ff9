"""Programs that exercise one thing each in code generation, with sizes."""

# Only the outputs grow with T: states and gates live in circular buffers or variables.
INFERENCE = """
program rnn: [T, B, H] -> { : T >= 1 and B >= 1 and H >= 1 }
  input     x: float32[T, B, H]
  input     U: float32[H, H]
  input     h0: float32[B, H]
  temporary z: float32[T, B, H]
  temporary h: float32[T + 1, B, H]
  output    last: float32[B, H]
  Sh0: [T, B, H] -> { Sh0[b, k] : 0 <= b < B and 0 <= k < H }
      h[0, b, k] = h0[b, k]
  z_init: [T, B, H] -> { z_init[t, b, k] : 0 <= t < T and 0 <= b < B and 0 <= k < H }
      z[t, b, k] = x[t, b, k]
  Su: [T, B, H] -> { Su[t, b, k, j] : 0 <= t < T and 0 <= b < B and 0 <= k < H and 0 <= j < H }
      z[t, b, k] += h[t, b, j] * U[k, j]
  Sh: [T, B, H] -> { Sh[t, b, k] : 0 <= t < T and 0 <= b < B and 0 <= k < H }
      h[t + 1, b, k] = tanh(z[t, b, k])
  Sl: [T, B, H] -> { Sl[b, k] : 0 <= b < B and 0 <= k < H }
      last[b, k] = h[T, b, k]
"""

# The names that C, C++ and their libraries have taken, and isl's iterators.
NAMES = """
program double: [I, for_, c0] -> { : I >= 1 and for_ >= 1 and c0 >= 1 }
  input     exp: float64[I, for_]
  input     y0: float64[c0]
  temporary int: float64[I]
  temporary pa_x: float64[c0]
  output    struct: float64[I]
  output    status: float64[c0]
  S1: [I, for_, c0] -> { S1[auto, c1] : 0 <= auto < I and 0 <= c1 < for_ }
      int[auto] += exp[auto, c1]
  S2: [I, for_, c0] -> { S2[new] : 0 <= new < I }
      struct[new] = int[I - 1 - new] * 2.0
  S3: [I, for_, c0] -> { S3[y0] : 0 <= y0 < c0 }
      pa_x[y0] = y0[y0] * y0[y0]
  S4: [I, for_, c0] -> { S4[sizes] : 0 <= sizes < c0 }
      status[sizes] = pa_x[c0 - 1 - sizes]
"""

# Constants of all kinds, integers, casts, values of indices.
CONSTANTS = """
program constants: [N] -> { : N >= 1 }
  input     x: float32[N]
  input     n: int32[N]
  output    a: float32[N]
  output    b: int32[N]
  output    c: int64[N]
  output    d: float64[N]
  Sa: [N] -> { Sa[i] : 0 <= i < N }
      a[i] = x[i] * float32(0.1) - float32(-1e-30) + select(gt(x[i], float32(-inf)), float32(1e20), float32(nan))
  Sb: [N] -> { Sb[i] : 0 <= i < N }
      b[i] = maximum(n[i] - int32(-3), int32(-2147483648))
  Sc: [N] -> { Sc[i] : 0 <= i < N }
      c[i] = index(2*i - N + 1) + minimum(cast_int64(n[i]), int64(9223372036854775807)) - 5000000000
  Sd: [N] -> { Sd[i] : 0 <= i < N }
      d[i] = neg(-0.1) + cast_float64(n[i]) / 3.0 - (1e-7 - cast_float64(index(i // 2))) * 1e22
"""

# Reductions of all kinds, into outputs, variables, and triangles.
REDUCTIONS = """
program reductions: [N, K] -> { : N >= 1 and K >= 1 }
  input     x: float64[N, K]
  temporary m: float64[N]
  output    p: float64[N]
  output    lo: float64[]
  output    tri: float64[N]
  output    big: int64[]
  Sm: [N, K] -> { Sm[i, k] : 0 <= i < N and 0 <= k < K }
      m[i] max= x[i, k]
  Sp: [N, K] -> { Sp[i, k] : 0 <= i < N and 0 <= k < K }
      p[i] *= exp(x[i, k] - m[i])
  Sl: [N, K] -> { Sl[i, k] : 0 <= i < N and 0 <= k < K }
      lo[] min= x[i, k]
  St: [N, K] -> { St[i, k] : 0 <= k <= i < N and k < K }
      tri[i] += x[i, k]
  Sb: [N, K] -> { Sb[i] : 0 <= i < N }
      big[] max= index(3*i - 7)
"""

# Strides, reversals, divisions in indices and in domains.
STRIDES = """
program strides: [N] -> { : N >= 1 }
  input     x: float64[2*N]
  output    even: float64[2*N]
  output    half: float64[2*N]
  output    wrapped: float64[2*N]
  S0: [N] -> { S0[i] : 0 <= i < 2N and i mod 2 = 0 }
      even[i] = x[i]
  S1: [N] -> { S1[i] : 0 <= i < N }
      even[2*i + 1] = -x[2*N - 1 - 2*i]
  S2: [N] -> { S2[i] : 0 <= i < 2N }
      half[i] = x[i // 2]
  S3: [N] -> { S3[i] : 0 <= i < 2N }
      wrapped[i] = x[(i + 3) % 2] + x[i % 2]
"""

# A state that needs three slots, in a scan that runs backwards.
BACKWARDS = """
program backwards: [T, B] -> { : T >= 2 and B >= 1 }
  input     x: float64[T, B]
  temporary s: float64[T + 2, B]
  output    y: float64[B]
  S0: [T, B] -> { S0[t, b] : T <= t <= T + 1 and 0 <= b < B }
      s[t, b] = x[t - T, b]
  S1: [T, B] -> { S1[t, b] : 0 <= t < T and 0 <= b < B }
      s[t, b] = sin(s[t + 1, b] + 0.5 * s[t + 2, b]) + x[t, b]
  S2: [T, B] -> { S2[b] : 0 <= b < B }
      y[b] = s[0, b] + s[1, b]
"""

# A scatter, an index of an index, a clipped index, and one that the kernel computes.
INDICES = """
program indices: [N, V] -> { : N >= 1 and V >= 1 }
  input     table: float32[V, 2]
  input     ids: int32[N]
  input     order: int64[N]
  temporary best: int64[]
  output    a: float32[N, 2]
  output    b: float32[V]
  output    c: float32[N]
  output    d: float32[]
  Sa: [N, V] -> { Sa[i, j] : 0 <= i < N and 0 <= j < 2 }
      a[i, j] = table[ids[order[i]], index(j)]
  Sb: [N, V] -> { Sb[i] : 0 <= i < N }
      b[ids[i]] += table[index(0), index(1)] + float32(1.0)
  Sc: [N, V] -> { Sc[i] : 0 <= i < N }
      c[i] = table[minimum(maximum(cast_int64(ids[i]) - 2, index(0)), index(V - 1)), index(0)]
  Sbest: [N, V] -> { Sbest[i] : 0 <= i < N }
      best[] min= order[i] + index(i)
  Sd: [N, V] -> { Sd[] }
      d[] = table[best[], index(1)]
"""

# No sizes at all.
FIXED = """
program fixed: { : }
  input     A: float64[3, 4]
  input     x: float64[4]
  temporary y: float64[3]
  output    z: float64[3]
  S: { S[i, k] : 0 <= i < 3 and 0 <= k < 4 }
      y[i] += A[i, k] * x[k]
  R: { R[i] : 0 <= i < 3 }
      z[i] = y[2 - i] * y[i]
"""

CASES = {
    "names": (NAMES, {"I": 3, "for_": 4, "c0": 5}),
    "constants": (CONSTANTS, {"N": 6}),
    "reductions": (REDUCTIONS, {"N": 5, "K": 3}),
    "strides": (STRIDES, {"N": 4}),
    "backwards": (BACKWARDS, {"T": 6, "B": 3}),
    "indices": (INDICES, {"N": 4, "V": 9}),
    "fixed": (FIXED, {}),
}
