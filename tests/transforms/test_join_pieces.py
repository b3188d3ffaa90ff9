"""Pieces of one definition that say the same."""

import pytest

from polyad.transforms.passes.join_pieces import join_pieces
from tests.programs import CONV, CUMSUM, DTW, GATHER, LSTM, program
from tests.transforms.equivalence import assert_same

PIECES = """
program pieces: [N] -> { : N >= 2 }
  input     b: float64[N]
  output    a: float64[N]
  A0: [N] -> { A0[i] : i = 0 }
      a[i] = b[0] * 2.0
  A1: [N] -> { A1[i] : 0 < i < N - 1 }
      a[i] = b[i] * 2.0
  A2: [N] -> { A2[j] : j = N - 1 }
      a[j] = b[N - 1] * 2.0
"""

APART = {
    "another value": PIECES.replace("b[0] * 2.0", "b[0] * 3.0").replace("b[N - 1] * 2.0", "b[N - 1] + 2.0"),
    "another element": PIECES.replace("b[0]", "b[1]").replace("b[N - 1]", "b[N - 2]"),
    "a hole between": """
program hole: [N] -> { : N >= 4 }
  input     b: float64[N]
  temporary a: float64[N]
  output    c: float64[]
  A0: [N] -> { A0[i] : i = 0 }
      a[i] = b[0]
  A1: [N] -> { A1[i] : 2 <= i < N }
      a[i] = b[i]
  C: [N] -> { C[] }
      c[] = a[0] + a[2]
""",
}


def test_pieces_become_one() -> None:
    before = program(PIECES)
    after = join_pieces(before)
    assert [s.name for s in after.statements] == ["A2"]
    assert "0 <= i < N" in str(after)
    assert_same(before, after, {"N": 2}, {"N": 5})


FEWER = """
program fewer: [N, M] -> { : N >= 2 and M >= 1 }
  input     b: float64[N, M]
  output    a: float64[N, M]
  A0: [N, M] -> { A0[k] : 0 <= k < M }
      a[0, k] = b[0, k] * 2.0
  A1: [N, M] -> { A1[k, t] : 0 <= t < N - 1 and 0 <= k < M }
      a[t + 1, k] = b[t + 1, k] * 2.0
"""


def test_a_piece_over_fewer_dimensions_joins_the_other() -> None:
    before = program(FEWER)
    after = join_pieces(before)
    assert [s.name for s in after.statements] == ["A1"]
    assert after.statement("A1").dims == ("k", "t")
    assert_same(before, after, {"N": 2, "M": 1}, {"N": 4, "M": 3})
    apart = program(FEWER.replace("b[0, k] *", "b[1, k] *"))
    assert join_pieces(apart) is apart


@pytest.mark.parametrize("text", [*APART.values(), CONV, CUMSUM, DTW, GATHER, LSTM])
def test_pieces_that_differ_stay(text: str) -> None:
    before = program(text)
    assert join_pieces(before) is before
