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


# A step of a ring that was put together of slices, and the sum that its adjoint is.
RING = """
program ring: [T] -> { : T >= 1 }
  input     x: float64[6]
  temporary u: float64[T + 1, 6]
  temporary c: float64[T, 6]
  output    y: float64[6]
  U0: [T] -> { U0[i] : 0 <= i < 6 }
      u[0, i] = x[i]
  C0: [T] -> { C0[t, i] : 0 <= t < T and i = 0 }
      c[t, i] = u[t, 5]
  C1: [T] -> { C1[t, i] : 0 <= t < T and 1 <= i < 6 }
      c[t, i] = u[t, i - 1]
  U: [T] -> { U[t, i] : 0 <= t < T and 0 <= i < 6 }
      u[t + 1, i] = u[t, i] + 0.5 * c[t, i]
  Y: [T] -> { Y[i] : 0 <= i < 6 }
      y[i] = u[T, i]
"""
SUMS = RING.replace("u[t + 1, i] = u[t, i] + 0.5 * c[t, i]", "u[t + 1, i] += c[t, i]").replace(
    "c[t, i] =", "c[t, i] +="
)
NO_RINGS = {
    "a turn of another extent": RING.replace("u[t, 5]", "u[t, 4]"),
    "no step": RING.replace("0.5 * c[t, i]", "0.5"),
    "a size": RING.replace("[T] ->", "[T, N] ->")
    .replace("6]", "N]")
    .replace("< 6", "< N")
    .replace("u[t, 5]", "u[t, N - 1]"),
}


@pytest.mark.parametrize("text", [RING, SUMS], ids=["definitions", "sums"])
def test_a_ring_of_slices_is_one_remainder(text: str) -> None:
    before = program(text)
    after = join_pieces(before)
    assert len([s for s in after.statements if s.array == "c"]) == 1
    assert "u[t, i - 6 * ((i - 1) // 6) - 1]" in str(after)
    assert_same(before, after)


def test_terms_of_one_element_are_not_joined() -> None:
    """Two terms of a sum for element 0: a ring has one for each."""
    twice = program(SUMS.replace("1 <= i < 6", "0 <= i < 6").replace("u[t, i - 1]", "u[t, 5 - i]"))
    assert join_pieces(twice) is twice


@pytest.mark.parametrize("name", NO_RINGS)
def test_other_rings_stay(name: str) -> None:
    before = program(NO_RINGS[name])
    assert join_pieces(before) is before
