"""Programs whose schedules have one property each; with explicit identity definitions."""

from tests import programs
from tests.programs_gradient import LSTM_GRADIENT

# An inference scan: nothing but the outputs needs to grow with T.
LSTM_FORWARD = (
    programs.LSTM.replace("output    loss: float64[]", "output    ys: float64[T, B, H]")
    .split("  Sl:")[0]
    .replace(
        "  Sxw:",
        "  xw_init: [T, B, I, H] -> { xw_init[t, b, n] : 0 <= t < T and 0 <= b < B and 0 <= n < 4H }\n"
        "      xw[t, b, n] = 0.0\n  Sxw:",
    )
    .replace(
        "  Shu:",
        "  hu_init: [T, B, I, H] -> { hu_init[t, b, n] : 0 <= t < T and 0 <= b < B and 0 <= n < 4H }\n"
        "      hu[t, b, n] = 0.0\n  Shu:",
    )
    + "  Sy: [T, B, I, H] -> { Sy[t, b, k] : 0 <= t < T and 0 <= b < B and 0 <= k < H }\n"
    "      ys[t, b, k] = h[t + 1, b, k]\n"
)

# Only the last state leaves the scan.
LSTM_LAST = LSTM_FORWARD.replace("ys: float64[T, B, H]", "ys: float64[B, H]").split("  Sy:")[0] + (
    "  Sy: [T, B, I, H] -> { Sy[b, k] : 0 <= b < B and 0 <= k < H }\n      ys[b, k] = h[T, b, k]\n"
)

MATMUL_STREAM = """
program mm: [M, N, K] -> { : M >= 1 and N >= 1 and K >= 1 }
  input     A: float64[M, K]
  input     B: float64[K, N]
  temporary C: float64[M, N]
  output    D: float64[M, N]
  C_init: [M, N, K] -> { C_init[i, j] : 0 <= i < M and 0 <= j < N }
      C[i, j] = 0.0
  C_upd: [M, N, K] -> { C_upd[i, j, k] : 0 <= i < M and 0 <= j < N and 0 <= k < K }
      C[i, j] += A[i, k] * B[k, j]
  S: [M, N, K] -> { S[i, j] : 0 <= i < M and 0 <= j < N }
      D[i, j] = tanh(C[i, j])
"""

MATMUL_DOT = MATMUL_STREAM.replace("B: float64[K, N]", "B: float64[N, K]").replace("B[k, j]", "B[j, k]")

SOFTMAX = """
program softmax: [N, K] -> { : N >= 1 and K >= 1 }
  input     x: float64[N, K]
  temporary m: float64[N]
  temporary e: float64[N, K]
  temporary s: float64[N]
  output    y: float64[N, K]
  m_init: [N, K] -> { m_init[i] : 0 <= i < N }
      m[i] = -inf
  Sm: [N, K] -> { Sm[i, k] : 0 <= i < N and 0 <= k < K }
      m[i] max= x[i, k]
  Se: [N, K] -> { Se[i, k] : 0 <= i < N and 0 <= k < K }
      e[i, k] = exp(x[i, k] - m[i])
  s_init: [N, K] -> { s_init[i] : 0 <= i < N }
      s[i] = 0.0
  Ss: [N, K] -> { Ss[i, k] : 0 <= i < N and 0 <= k < K }
      s[i] += e[i, k]
  Sy: [N, K] -> { Sy[i, k] : 0 <= i < N and 0 <= k < K }
      y[i, k] = e[i, k] / s[i]
"""

# The second statement reads transposed: fused along i = row of the first.
TRANSPOSED = """
program tr: [N, M] -> { : N >= 1 and M >= 1 }
  input     x: float64[N, M]
  temporary y: float64[N, M]
  output    z: float64[M, N]
  S: [N, M] -> { S[i, j] : 0 <= i < N and 0 <= j < M }
      y[i, j] = sin(x[i, j])
  R: [N, M] -> { R[p, q] : 0 <= p < M and 0 <= q < N }
      z[p, q] = y[q, p] * 2.0
"""

# x = L^-1 b: a recurrence whose inner sum has a non-constant distance.
FORWARD_SUBSTITUTION = """
program solve: [N] -> { : N >= 1 }
  input     L: float64[N, N]
  input     b: float64[N]
  temporary acc: float64[N]
  output    x: float64[N]
  acc_init: [N] -> { acc_init[i] : 0 <= i < N }
      acc[i] = 0.0
  A: [N] -> { A[i, j] : 0 <= j < i < N }
      acc[i] += L[i, j] * x[j]
  X: [N] -> { X[i] : 0 <= i < N }
      x[i] = (b[i] - acc[i]) / L[i, i]
"""

# Every dimension points backwards somewhere: no loop over a single dimension is legal.
SKEWED = """
program skewed: [N] -> { : N >= 4 }
  input     x: float64[N, N]
  output    a: float64[N, N]
  edge: [N] -> { edge[i, j] : 0 <= i < N and 0 <= j < N and (i < 2 or i >= N - 2 or j < 2 or j >= N - 2) }
      a[i, j] = x[i, j]
  S: [N] -> { S[i, j] : 2 <= i < N - 2 and 2 <= j < N - 2 }
      a[i, j] = a[i - 2, j + 1] + a[i + 1, j - 2]
"""

HEAT = """
program heat: [T, N] -> { : T >= 1 and N >= 3 }
  input     u0: float64[N, N]
  output    u: float64[T + 1, N, N]
  start: [T, N] -> { start[i, j] : 0 <= i < N and 0 <= j < N }
      u[0, i, j] = u0[i, j]
  edge: [T, N] -> { edge[t, i, j] : 1 <= t <= T and 0 <= i, j < N and (i = 0 or j = 0 or i = N - 1 or j = N - 1) }
      u[t, i, j] = 0.0
  S: [T, N] -> { S[t, i, j] : 1 <= t <= T and 1 <= i < N - 1 and 1 <= j < N - 1 }
      u[t, i, j] = u[t - 1, i - 1, j] + u[t - 1, i + 1, j] + u[t - 1, i, j - 1] + u[t - 1, i, j + 1]
"""

# A scan inside of a scan: the inner one starts from the outer state.
NESTED = """
program nested: [T, K] -> { : T >= 1 and K >= 1 }
  input     x: float64[T, K]
  input     a0: float64[]
  temporary inner: float64[T, K + 1]
  output    outer: float64[T + 1]
  first: [T, K] -> { first[] }
      outer[0] = a0[]
  begin: [T, K] -> { begin[t] : 0 <= t < T }
      inner[t, 0] = outer[t]
  step: [T, K] -> { step[t, k] : 0 <= t < T and 0 <= k < K }
      inner[t, k + 1] = tanh(inner[t, k]) + x[t, k]
  end: [T, K] -> { end[t] : 0 <= t < T }
      outer[t + 1] = inner[t, K]
"""

# A scan along the first dimension of independent columns.
COLUMNS = """
program columns: [T, K] -> { : T >= 2 and K >= 1 }
  input     x: float64[T, K]
  output    s: float64[T, K]
  first: [T, K] -> { first[k] : 0 <= k < K }
      s[0, k] = x[0, k]
  S: [T, K] -> { S[t, k] : 1 <= t < T and 0 <= k < K }
      s[t, k] = s[t - 1, k] + x[t, k]
"""

# Two scans that need each other, one step apart: one of them has to be shifted.
RETIMED = """
program retimed: [T] -> { : T >= 3 }
  input     x: float64[T + 1]
  output    p: float64[T + 1]
  temporary q: float64[T + 2]
  p0: [T] -> { p0[] }
      p[0] = x[0]
  P: [T] -> { P[t] : 1 <= t <= T }
      p[t] = x[t] + q[t + 1]
  q0: [T] -> { q0[] }
      q[1] = x[1]
  Q: [T] -> { Q[t] : 2 <= t <= T + 1 }
      q[t] = p[t - 2] * 2.0
"""

# What all pairs of places tell is needed a step later, counted as the statements count.
PAIRS = """
program pairs: [T, N] -> { : T >= 1 and N >= 1 }
  input     x: float64[N]
  output    p: float64[T + 1, N]
  temporary v: float64[T + 2, N]
  temporary f: float64[T + 1, N, N]
  p0: [T, N] -> { p0[i] : 0 <= i < N }
      p[0, i] = x[i]
  v0: [T, N] -> { v0[i] : 0 <= i < N }
      v[0, i] = 0.0
  F: [T, N] -> { F[t, i, j] : 0 <= t < T and 0 <= i < N and 0 <= j < N }
      f[t, i, j] = tanh(p[t, i] - p[t, j])
  v_init: [T, N] -> { v_init[t, i] : 1 <= t <= T and 0 <= i < N }
      v[t, i] = v[t - 1, i]
  V: [T, N] -> { V[t, i, j] : 1 <= t <= T and 0 <= i < N and 0 <= j < N }
      v[t, i] += f[t - 1, i, j]
  P: [T, N] -> { P[t, i] : 1 <= t <= T and 0 <= i < N }
      p[t, i] = p[t - 1, i] + v[t, i]
"""

MATVEC = programs.MATVEC.replace("  S:", "  y_init: [N, K] -> { y_init[i] : 0 <= i < N }\n      y[i] = 0.0\n  S:")
CONV = programs.CONV.replace("  S:", "  y_init: [N, K] -> { y_init[i] : 0 <= i < N }\n      y[i] = 0.0\n  S:")
GATHER = programs.GATHER.replace("  S:", "  loss_init: [V, D, L] -> { loss_init[] }\n      loss[] = 0.0\n  S:")
# The gradient of an embedding: rows of a table are added to wherever the data says.
SCATTER = """
program scatter: [V, D, L] -> { : V >= 1 and D >= 1 and L >= 1 }
  input     g: float64[L, D]
  input     ids: int64[L]
  output    t_bar: float64[V, D]
  t_init: [V, D, L] -> { t_init[v, j] : 0 <= v < V and 0 <= j < D }
      t_bar[v, j] = 0.0
  S: [V, D, L] -> { S[t, j] : 0 <= t < L and 0 <= j < D }
      t_bar[ids[t], index(j)] += g[t, j]
"""

SAMPLES = {
    "matvec": MATVEC,
    "conv": CONV,
    "cumsum": programs.CUMSUM,
    "dtw": programs.DTW,
    "gather": GATHER,
    "scatter": SCATTER,
    "lstm": LSTM_FORWARD.split("  Sy:")[0].replace("output    ys: float64[T, B, H]", "output    loss: float64[]")
    + "  loss_init: [T, B, I, H] -> { loss_init[] }\n      loss[] = 0.0\n  Sl:"
    + programs.LSTM.split("  Sl:")[1],
    "lstm_forward": LSTM_FORWARD,
    "lstm_last": LSTM_LAST,
    "lstm_gradient": LSTM_GRADIENT,
    "matmul_stream": MATMUL_STREAM,
    "matmul_dot": MATMUL_DOT,
    "softmax": SOFTMAX,
    "transposed": TRANSPOSED,
    "forward_substitution": FORWARD_SUBSTITUTION,
    "skewed": SKEWED,
    "heat": HEAT,
    "nested": NESTED,
    "columns": COLUMNS,
    "retimed": RETIMED,
    "pairs": PAIRS,
}
