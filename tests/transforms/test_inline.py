import pytest

from polyad.transforms.passes.inline import inline, inline_pieces
from tests.programs import CONV, CUMSUM, DTW, GATHER, LSTM, MATVEC, program
from tests.transforms.equivalence import assert_same

MOVEMENT = """
program movement: [T, H] -> { : T >= 1 and H >= 1 }
  input     x: float64[T, H]
  input     w: float64[T, H]
  temporary c: float64[2*T, H]
  temporary a: float64[2*T, H]
  temporary xt: float64[H, T]
  temporary one: float64[H, T]
  output    out: float64[2*T, H]
  output    s: float64[T]
  C0: [T, H] -> { C0[t, k] : 0 <= t < T and 0 <= k < H }
      c[t, k] = x[t, k]
  C1: [T, H] -> { C1[t, k] : 0 <= t < T and 0 <= k < H }
      c[t + T, k] = w[t, k]
  D: [T, H] -> { D[t, k] : 0 <= t < 2T and 0 <= k < H }
      a[t, k] = tanh(c[t, k])
  E: [T, H] -> { E[t, k] : 0 <= t < 2T and 0 <= k < H }
      out[t, k] = a[t, k] * 2.0
  X: [T, H] -> { X[k, t] : 0 <= t < T and 0 <= k < H }
      xt[k, t] = x[t, k]
  I: [T, H] -> { I[k, t] : 0 <= t < T and 0 <= k < H }
      one[k, t] = 1.0
  F: [T, H] -> { F[t, k] : 0 <= t < T and 0 <= k < H }
      s[t] += xt[k, t] * w[t, k] * one[k, t]
"""

# Three things that must stay: tanh under a broadcast, arithmetic in a contraction, the term of a maximum.
STAYS = """
program stays: [N, K] -> { : N >= 1 and K >= 1 }
  input     x: float64[K]
  input     A: float64[N, K]
  temporary e: float64[K]
  temporary d: float64[N, K]
  temporary m: float64[N, K]
  output    y: float64[N, K]
  output    z: float64[N]
  output    u: float64[N]
  E: [N, K] -> { E[k] : 0 <= k < K }
      e[k] = tanh(x[k])
  Y: [N, K] -> { Y[i, k] : 0 <= i < N and 0 <= k < K }
      y[i, k] = A[i, k] + e[k]
  D: [N, K] -> { D[i, k] : 0 <= i < N and 0 <= k < K }
      d[i, k] = A[i, k] - 1.0
  Z: [N, K] -> { Z[i, k] : 0 <= i < N and 0 <= k < K }
      z[i] += d[i, k] * x[k]
  M: [N, K] -> { M[i, k] : 0 <= i < N and 0 <= k < K }
      m[i, k] = A[i, k] * x[k]
  U: [N, K] -> { U[i, k] : 0 <= i < N and 0 <= k < K }
      u[i] max= m[i, k]
"""

# A reversed copy read at a data-dependent index stays; the indices themselves are copied through.
GATHERED = """
program gathered: [N] -> { : N >= 1 }
  input     x: float64[N]
  input     ids: int64[N]
  temporary back: float64[N]
  temporary where: int64[N]
  output    y: float64[N]
  B: [N] -> { B[i] : 0 <= i < N }
      back[i] = x[N - 1 - i]
  W: [N] -> { W[i] : 0 <= i < N }
      where[N - 1 - i] = ids[i]
  Y: [N] -> { Y[i] : 0 <= i < N }
      y[i] = back[where[i]]
"""

SPLIT_AGAIN = """
program split_again: [T, H] -> { : T >= 1 and H >= 1 }
  input     x: float64[T, H]
  input     w: float64[H, H]
  temporary both: float64[2*T, H]
  output    y: float64[T, H]
  C0: [T, H] -> { C0[t, k] : 0 <= t < T and 0 <= k < H }
      both[t, k] = x[t, k]
  C1: [T, H] -> { C1[t, k] : 0 <= t < T and 0 <= k < H }
      both[t + T, k] = 0.5
  Y: [T, H] -> { Y[t, k, j] : 0 <= t < T and 0 <= k < H and 0 <= j < H }
      y[t, k] += both[t, j] * w[j, k]
"""

# Rows i of a table that may have fewer: the index is checked at the call, and must not become an affine access.
POSITIONS = """
program positions: [N, V] -> { : N >= 1 and V >= 1 }
  input     table: float64[V]
  temporary at: int64[N]
  output    y: float64[N]
  P: [N, V] -> { P[i] : 0 <= i < N }
      at[i] = index(i)
  Y: [N, V] -> { Y[i] : 0 <= i < N }
      y[i] = table[at[i]]
"""

# s is a running state: its copy of x at step 0 must not cut the readers of s at step 0.
STATE = """
program state: [N] -> { : N >= 1 }
  input     x: float64[N]
  temporary s: float64[N + 1]
  temporary n: float64[N]
  output    y: float64[N]
  S0: [N] -> { S0[i] : i = 0 }
      s[0] = x[0]
  S1: [N] -> { S1[i] : 0 <= i < N }
      s[i + 1] = n[i]
  F: [N] -> { F[i] : 0 <= i < N }
      n[i] = sin(s[i]) + x[i]
  Y: [N] -> { Y[i] : 0 <= i < N }
      y[i] = s[i] * n[i]
"""


@pytest.mark.parametrize("text", [MATVEC, CONV, CUMSUM, DTW, GATHER, STAYS, POSITIONS])
def test_nothing_to_inline(text: str) -> None:
    before = program(text)
    assert inline(before) is before


@pytest.mark.parametrize("text", [LSTM, MOVEMENT, GATHERED, SPLIT_AGAIN, STATE])
def test_values_stay(text: str) -> None:
    before = program(text)
    assert_same(before, inline(before))


def test_gates_go_into_the_state_updates() -> None:
    after = inline(program(LSTM))
    assert {"gi", "gf", "gg", "go", "tc"}.isdisjoint(after.arrays)
    assert "h[t + 1, b, k] = mul(sigmoid(z[t, b, 3 * H + k]), tanh(c[t + 1, b, k]))" in str(after)
    # z is read four times.
    assert "z" in after.arrays


def test_kept_arrays_stay() -> None:
    assert "tc" in inline(program(LSTM), keep={"tc"}).arrays


def test_concatenation_cuts_its_reader_and_transposes_vanish() -> None:
    after = inline(program(MOVEMENT))
    assert [s.name for s in after.statements] == ["D", "D_1", "E", "F"]
    assert "a[t, k] = tanh(w[-T + t, k])" in str(after)
    assert "s[t] += mul(x[t, k], w[t, k])" in str(after)


def test_reading_one_piece_cuts_nothing() -> None:
    after = inline(program(SPLIT_AGAIN))
    assert [s.name for s in after.statements] == ["Y"]
    assert "y[t, k] += mul(x[t, j], w[j, k])" in str(after)


def test_data_dependent_reads_keep_their_array() -> None:
    after = inline(program(GATHERED))
    assert "back" in after.arrays
    assert "y[i] = back[ids[N - i - 1]]" in str(after)


def test_states_are_not_cut_into_steps() -> None:
    after = inline(program(STATE))
    assert len([s for s in after.statements if s.array == "y"]) == 1


# A step that reads a padded state: p is cut by what it is made of, and what reads it is cut alike.
BORDER = """
program border: [T, N] -> { : T >= 1 and N >= 2 }
  input     x: float64[N]
  temporary u: float64[T + 1, N]
  temporary p: float64[T, N + 2]
  output    y: float64[N]
  scan      scan: t < T, forward, states u
  U0: [T, N] -> { U0[i] : 0 <= i < N }
      u[0, i] = x[i]
  P0: [T, N] -> { P0[t, i] : 0 <= t < T and i = 0 }
      p[t, i] = 0.25
  P1: [T, N] -> { P1[t, i] : 0 <= t < T and 1 <= i <= N }
      p[t, i] = u[t, i - 1]
  P2: [T, N] -> { P2[t, i] : 0 <= t < T and i = N + 1 }
      p[t, i] = u[t, N - 1]
  U: [T, N] -> { U[t, i] : 0 <= t < T and 0 <= i < N }
      u[t + 1, i] = tanh(p[t, i] + p[t, i + 2])
  Y: [T, N] -> { Y[i] : 0 <= i < N }
      y[i] = u[T, i]
"""

# The adjoint of what two neighbours read: each element of d goes to one place.
PLACED = """
program placed: [T] -> { : T >= 1 }
  input     x: float64[6]
  temporary u: float64[T + 1, 6]
  temporary d: float64[T, 6]
  output    y: float64[6]
  scan      scan: t < T, forward, states u
  U0: [T] -> { U0[i] : 0 <= i < 6 }
      u[0, i] = x[i]
  D: [T] -> { D[t, i] : 0 <= t < T and 0 <= i < 6 }
      d[t, i] = 0.5 * u[t, i]
  U: [T] -> { U[t, i] : 0 <= t < T and 0 <= i < 5 }
      u[t + 1, i] = d[t, i + 1] + 1.0
  U1: [T] -> { U1[t, i] : 0 <= t < T and i = 5 }
      u[t + 1, i] = d[t, 0] + 2.0
  Y: [T] -> { Y[i] : 0 <= i < 6 }
      y[i] = u[T, i]
"""


def test_a_step_reads_the_pieces_of_what_it_reads() -> None:
    before = program(BORDER)
    assert inline(before) is before
    after = inline_pieces(before)
    assert "p" not in after.arrays
    assert len([s for s in after.statements if s.array == "u"]) == 4
    assert "u[t + 1, i] = tanh(add(u[t, i - 1], u[t, i + 1]))" in str(after)
    assert_same(before, after, {"T": 1, "N": 2}, {"T": 3, "N": 5})


def test_what_several_read_once_goes_into_all_of_them() -> None:
    before = program(PLACED)
    after = inline_pieces(before)
    assert "d" not in after.arrays
    assert_same(before, after)
    twice = program(PLACED.replace("d[t, 0]", "d[t, 1]"))
    assert inline_pieces(twice) is twice


def test_first_steps_are_not_cut_off() -> None:
    """The state of a scan has a piece of its own for its first step, which its readers do not."""
    after = inline_pieces(program(BORDER.replace("tanh(p[t, i] + p[t, i + 2])", "p[t, i + 1]")))
    assert {s.name for s in after.statements if s.array == "u"} == {"U0", "U"}
