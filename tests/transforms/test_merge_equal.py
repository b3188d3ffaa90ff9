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
