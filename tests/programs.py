"""Sample programs in text form, for tests of the stages behind the frontend."""

from polyad.ir.program import Program
from polyad.ops.program_text import parse_program

MATVEC = """
program mv: [N, K] -> { : N >= 1 and K >= 1 }
  input     A: float64[N, K]
  input     x: float64[K]
  output    y: float64[N]
  S: [N, K] -> { S[i, k] : 0 <= i < N and 0 <= k < K }
      y[i] += A[i, k] * x[k]
"""

CONV = """
program conv: [N, K] -> { : N >= 1 and K >= 1 }
  input     x: float64[2*N + 3*K]
  input     w: float64[K]
  output    y: float64[N]
  S: [N, K] -> { S[i, k] : 0 <= i < N and 0 <= k < K }
      y[i] += x[2*i + 3*k] * w[k]
"""

CUMSUM = """
program cumsum: [N] -> { : N >= 1 }
  input     x: float64[N]
  output    s: float64[N]
  S0: [N] -> { S0[i] : i = 0 }
      s[i] = x[i]
  S1: [N] -> { S1[i] : 1 <= i < N }
      s[i] = s[i - 1] + sin(x[i])
"""

LSTM = """
program lstm: [T, B, I, H] -> { : T >= 1 and B >= 1 and I >= 1 and H >= 1 }
  input     x: float64[T, B, I]
  input     W: float64[4*H, I]
  input     U: float64[4*H, H]
  input     b: float64[4*H]
  input     h0: float64[B, H]
  input     c0: float64[B, H]
  temporary xw: float64[T, B, 4*H]
  temporary hu: float64[T, B, 4*H]
  temporary z: float64[T, B, 4*H]
  temporary gi: float64[T, B, H]
  temporary gf: float64[T, B, H]
  temporary gg: float64[T, B, H]
  temporary go: float64[T, B, H]
  temporary tc: float64[T, B, H]
  temporary c: float64[T + 1, B, H]
  temporary h: float64[T + 1, B, H]
  output    loss: float64[]
  scan      lstm: t < T, forward, states h, c
  Sh0: [T, B, I, H] -> { Sh0[b, k] : 0 <= b < B and 0 <= k < H }
      h[0, b, k] = h0[b, k]
  Sc0: [T, B, I, H] -> { Sc0[b, k] : 0 <= b < B and 0 <= k < H }
      c[0, b, k] = c0[b, k]
  Sxw: [T, B, I, H] -> { Sxw[t, b, n, i] : 0 <= t < T and 0 <= b < B and 0 <= n < 4H and 0 <= i < I }
      xw[t, b, n] += x[t, b, i] * W[n, i]
  Shu: [T, B, I, H] -> { Shu[t, b, n, j] : 0 <= t < T and 0 <= b < B and 0 <= n < 4H and 0 <= j < H }
      hu[t, b, n] += h[t, b, j] * U[n, j]
  Sz: [T, B, I, H] -> { Sz[t, b, n] : 0 <= t < T and 0 <= b < B and 0 <= n < 4H }
      z[t, b, n] = xw[t, b, n] + hu[t, b, n] + b[n]
  Si: [T, B, I, H] -> { Si[t, b, k] : 0 <= t < T and 0 <= b < B and 0 <= k < H }
      gi[t, b, k] = sigmoid(z[t, b, k])
  Sf: [T, B, I, H] -> { Sf[t, b, k] : 0 <= t < T and 0 <= b < B and 0 <= k < H }
      gf[t, b, k] = sigmoid(z[t, b, H + k])
  Sg: [T, B, I, H] -> { Sg[t, b, k] : 0 <= t < T and 0 <= b < B and 0 <= k < H }
      gg[t, b, k] = tanh(z[t, b, 2*H + k])
  So: [T, B, I, H] -> { So[t, b, k] : 0 <= t < T and 0 <= b < B and 0 <= k < H }
      go[t, b, k] = sigmoid(z[t, b, 3*H + k])
  Sc: [T, B, I, H] -> { Sc[t, b, k] : 0 <= t < T and 0 <= b < B and 0 <= k < H }
      c[t + 1, b, k] = gf[t, b, k] * c[t, b, k] + gi[t, b, k] * gg[t, b, k]
  Stc: [T, B, I, H] -> { Stc[t, b, k] : 0 <= t < T and 0 <= b < B and 0 <= k < H }
      tc[t, b, k] = tanh(c[t + 1, b, k])
  Sh: [T, B, I, H] -> { Sh[t, b, k] : 0 <= t < T and 0 <= b < B and 0 <= k < H }
      h[t + 1, b, k] = go[t, b, k] * tc[t, b, k]
  Sl: [T, B, I, H] -> { Sl[t, b, k] : 1 <= t <= T and 0 <= b < B and 0 <= k < H }
      loss[] += h[t, b, k] * h[t, b, k]
"""

DTW = """
program dtw: [N, M] -> { : N >= 1 and M >= 1 }
  input     d: float64[N, M]
  temporary r: float64[N + 1, M + 1]
  output    out: float64[]
  S00: [N, M] -> { S00[i, j] : i = 0 and j = 0 }
      r[i, j] = 0.0
  Si0: [N, M] -> { Si0[i, j] : 1 <= i <= N and j = 0 }
      r[i, j] = 1e6
  S0j: [N, M] -> { S0j[i, j] : i = 0 and 1 <= j <= M }
      r[i, j] = 1e6
  Sij: [N, M] -> { Sij[i, j] : 1 <= i <= N and 1 <= j <= M }
      r[i, j] = d[i - 1, j - 1] - log(exp(-r[i - 1, j]) + exp(-r[i, j - 1]) + exp(-r[i - 1, j - 1]))
  So: [N, M] -> { So[] }
      out[] = r[N, M]
"""

GATHER = """
program embed: [V, D, L] -> { : V >= 1 and D >= 1 and L >= 1 }
  input     table: float64[V, D]
  input     ids: int64[L]
  output    loss: float64[]
  S: [V, D, L] -> { S[t, j] : 0 <= t < L and 0 <= j < D }
      loss[] += table[ids[t], index(j)] * table[ids[t], index(j)]
"""


def program(text: str) -> Program:
    """Parse one of the samples."""
    return parse_program(text)
