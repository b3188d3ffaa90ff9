import pytest

from polyad.transforms.passes.merge_equal import merge_equal
from tests.programs import CONV, CUMSUM, DTW, GATHER, LSTM, MATVEC, program
from tests.transforms.equivalence import assert_same

TWINS = """
program twins: [N, K] -> { : N >= 1 and K >= 1 }
  input     x: float64[N, K]
  input     ids: int64[N]
  temporary a: float64[N]
  temporary b: float64[N]
  temporary c: float64[N]
  temporary a2: float64[N]
  temporary b2: float64[N]
  temporary g: float64[N]
  temporary f: float64[N]
  output    y: float64[N]
  A: [N, K] -> { A[i, k] : 0 <= i < N and 0 <= k < K }
      a[i] += x[i, k] * 2.0
  B: [N, K] -> { B[n, q] : 0 <= n < N and 0 <= q < K }
      b[n] += x[n, q] * 2.0
  C: [N, K] -> { C[n, q] : 0 <= n < N and 0 <= q < K }
      c[n] += x[n, q] * 2.5
  A2: [N, K] -> { A2[i] : 0 <= i < N }
      a2[i] = exp(a[i]) + index(i)
  B2: [N, K] -> { B2[j] : 0 <= j < N }
      b2[j] = exp(b[j]) + index(j)
  G: [N, K] -> { G[i] : 0 <= i < N }
      g[i] = a[ids[i]]
  F: [N, K] -> { F[j] : 0 <= j < N }
      f[j] = b[ids[j]]
  Y: [N, K] -> { Y[i] : 0 <= i < N }
      y[i] = a2[i] * b2[i] + c[i] + g[i] * f[i]
"""


@pytest.mark.parametrize("text", [MATVEC, CONV, CUMSUM, LSTM, DTW, GATHER])
def test_different_arrays_stay(text: str) -> None:
    before = program(text)
    assert merge_equal(before) is before


def test_equal_definitions_merge_and_so_do_their_readers() -> None:
    before = program(TWINS)
    after = merge_equal(before)
    assert_same(before, after)
    assert [s.name for s in after.statements] == ["A", "C", "A2", "G", "Y"]
    assert "y[i] = add(add(mul(a2[i], a2[i]), c[i]), mul(g[i], g[i]))" in str(after)


def test_kept_arrays_stay() -> None:
    after = merge_equal(program(TWINS), keep={"b2"})
    assert "b2" in after.arrays and "b" not in after.arrays


def test_outputs_stay() -> None:
    text = TWINS.replace("temporary b2", "output    b2")
    assert set(merge_equal(program(text)).outputs) == {"y", "b2"}


RECURRENCES = """
program recurrences: [N] -> { : N >= 1 }
  input     x: float64[N]
  temporary a: float64[N + 1]
  temporary p: float64[N]
  temporary b: float64[N + 1]
  temporary q: float64[N]
  temporary c: float64[N + 1]
  temporary r: float64[N]
  output    y: float64[]
  A0: [N] -> { A0[] }
      a[0] = 0.5
  A: [N] -> { A[i] : 0 <= i < N }
      a[i + 1] = p[i] * x[i]
  P: [N] -> { P[i] : 0 <= i < N }
      p[i] = sin(a[i])
  B0: [N] -> { B0[] }
      b[0] = 0.5
  B: [N] -> { B[j] : 0 <= j < N }
      b[j + 1] = q[j] * x[j]
  Q: [N] -> { Q[j] : 0 <= j < N }
      q[j] = sin(b[j])
  C0: [N] -> { C0[] }
      c[0] = START
  C: [N] -> { C[j] : 0 <= j < N }
      c[j + 1] = r[j] * x[j]
  R: [N] -> { R[j] : 0 <= j < N }
      r[j] = sin(c[j])
  Y: [N] -> { Y[] }
      y[] = a[N] * b[N] + c[N]
"""


def test_equal_recurrences_merge() -> None:
    for start, left in (("0.75", 2), ("0.5", 1)):
        before = program(RECURRENCES.replace("START", start))
        after = merge_equal(before)
        assert_same(before, after)
        assert len({"a", "b", "c"} & set(after.arrays)) == len({"p", "q", "r"} & set(after.arrays)) == left


STEPS = """
program steps: [N] -> { : N >= 1 }
  input     x: float64[N]
  temporary h: float64[N + 1]
  temporary u: float64[N, 3]
  temporary v: float64[N, 3]
  output    y: float64[]
  H0: [N] -> { H0[] }
      h[0] = 0.5
  U0: [N] -> { U0[t] : 0 <= t < N }
      u[t, 0] = h[t]
  U: [N] -> { U[t, i] : 0 <= t < N and 0 <= i <= 1 }
      u[t, i + 1] = sin(u[t, i])
  V0: [N] -> { V0[t] : 0 <= t < N }
      v[t, 0] = h[t]
  V: [N] -> { V[t, i] : 0 <= t < N and 0 <= i <= 1 }
      v[t, i + 1] = sin(v[t, i])
  H: [N] -> { H[t] : 0 <= t < N }
      h[t + 1] = u[t, 2] * v[t, 1] + x[t]
  Y: [N] -> { Y[] }
      y[] = h[N]
"""


def test_equal_recurrences_within_the_steps_of_another_merge() -> None:
    before = program(STEPS)
    after = merge_equal(before)
    assert_same(before, after)
    assert len({"u", "v"} & set(after.arrays)) == 1


def test_recurrences_that_differ_in_one_of_their_arrays_stay() -> None:
    before = program(RECURRENCES.replace("START", "0.75").replace("q[j] = sin", "q[j] = cos"))
    assert merge_equal(before) is before
