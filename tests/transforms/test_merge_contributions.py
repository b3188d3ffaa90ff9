import islpy as isl
import pytest

from polyad.transforms.passes.merge_contributions import accumulate
from tests.programs import CONV, CUMSUM, DTW, GATHER, LSTM, MATVEC, program
from tests.transforms.equivalence import assert_same

DENSE = """
program dense: [N, K] -> { : N >= 1 and K >= 1 }
  input     A: float64[N, K]
  input     x: float64[K]
  input     b: float64[N]
  temporary r: float64[N]
  temporary q: float64[N]
  temporary twice: float64[N]
  output    y: float64[N]
  output    both: float64[N]
  R: [N, K] -> { R[i, k] : 0 <= i < N and 0 <= k < K }
      r[i] += A[i, k] * x[k]
  Q: [N, K] -> { Q[i, k] : 0 <= i < N and 0 <= k < K }
      q[i] += A[i, k] * A[i, k]
  S: [N, K] -> { S[i, k] : 0 <= i < N and 0 <= k < K }
      twice[i] += A[i, k]
  Y: [N, K] -> { Y[i] : 0 <= i < N }
      y[i] = b[i] + (r[N - 1 - i] + b[0]) - twice[i] * twice[i]
  Z: [N, K] -> { Z[i] : 0 <= i < N }
      both[i] = q[i] + twice[i]
"""

ONLY_SUMS = """
program only_sums: [N, K] -> { : N >= 2 and K >= 1 }
  input     A: float64[N, K]
  temporary r: float64[N]
  temporary q: float64[N]
  output    y: float64[N - 1]
  R: [N, K] -> { R[i, k] : 0 <= i < N and 0 <= k < K }
      r[i] += A[i, k]
  Q: [N, K] -> { Q[i, k] : 0 <= i < N and 0 <= k < K }
      q[i] += A[i, k] * A[i, 0]
  Y: [N, K] -> { Y[i] : 0 <= i < N - 1 }
      y[i] = r[i + 1] + q[i]
"""


@pytest.mark.parametrize("text", [MATVEC, CONV, CUMSUM, DTW, GATHER])
def test_nothing_to_merge(text: str) -> None:
    before = program(text)
    assert accumulate(before) is before


@pytest.mark.parametrize("text", [LSTM, DENSE])
def test_values_stay(text: str) -> None:
    before = program(text)
    assert_same(before, accumulate(before))


def test_products_of_a_cell_share_an_accumulator() -> None:
    after = accumulate(program(LSTM))
    assert "xw" not in after.arrays and "hu" not in after.arrays
    assert [(s.name, s.reduction) for s in after.writers()["z"]] == [("Sxw", "sum"), ("Shu", "sum"), ("Sz", None)]
    assert "z[t, b, n] = b[n]\n" in str(after)


def test_only_addends_that_are_read_once_move() -> None:
    after = accumulate(program(DENSE))
    text = str(after)
    assert "y[N - i - 1] += mul(A[i, k], x[k])" in text
    assert "y[i] = sub(add(b[i], b[0]), mul(twice[i], twice[i]))" in text
    assert "both[i] = twice[i]\n" in text and "both[i] += mul(A[i, k], A[i, k])" in text


def test_a_sum_of_sums_has_no_definition_left_and_reads_no_more_than_before() -> None:
    before = program(ONLY_SUMS)
    after = accumulate(before)
    assert_same(before, after, {"N": 2, "K": 1}, {"N": 4, "K": 3})
    assert [s.name for s in after.statements] == ["R", "Q"]
    r = after.statement("R").domain
    assert r.is_equal(isl.Set("[N, K] -> { R[i, k] : 1 <= i < N and 0 <= k < K }"))


def test_kept_arrays_stay() -> None:
    assert "hu" in accumulate(program(LSTM), keep={"hu"}).arrays
