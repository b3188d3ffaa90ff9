"""Sums that are only added to others are added up there."""

import pytest

from polyad.transforms.passes.sums.forward_sums import forward_sums
from tests.programs import CONV, CUMSUM, DTW, GATHER, LSTM, MATVEC, program
from tests.transforms.equivalence import assert_same

# The adjoint of a row with a border, p = [x[0], x, x[N - 1]], of which a filter reads two elements each.
BORDER = """
program border: [N] -> { : N >= 2 }
  input     g: float64[N]
  input     a: float64[N]
  temporary r: float64[N + 2]
  output    z: float64[N]
  R0: [N] -> { R0[e] : 0 <= e < N }
      r[e] += g[e]
  R1: [N] -> { R1[e] : 2 <= e < N + 2 }
      r[e] += 2.0 * g[e - 2]
  Z: [N] -> { Z[i] : 0 <= i < N }
      z[i] = a[i] + r[i + 1]
  Z0: [N] -> { Z0[i] : i = 0 }
      z[i] += r[0]
  Z1: [N] -> { Z1[i] : i = N - 1 }
      z[i] += r[N + 1]
"""
STAY = {
    "read twice": BORDER.replace("r[N + 1]", "r[N]"),
    "read by something else": BORDER.replace("a[i] + r[i + 1]", "a[i] * r[i + 1]"),
    "a multiple": BORDER.replace("+= r[0]", "+= 2.0 * r[0]"),
    "subtracted": BORDER.replace("a[i] + r[i + 1]", "a[i] - r[i + 1]"),
    "a maximum": BORDER.replace("r[e] +=", "r[e] max="),
    "a definition": BORDER.replace("0 <= e < N }", "0 <= e < 2 }").replace("r[e] += g[e]", "r[e] = g[e]"),
    "another place": BORDER.replace("Z0[i] : i = 0", "Z0[i] : 0 <= i < 2"),
    "a sum of them": BORDER.replace("Z1[i] : i = N - 1", "Z1[i] : N <= i < N + 2").replace(
        "z[i] += r[N + 1]", "z[0] += r[i]"
    ),
}


def test_terms_go_where_their_sum_is_added() -> None:
    before = program(BORDER)
    after = forward_sums(before)
    assert "r" not in after.arrays
    assert len(after.statements) == 5  # a[i], two terms inside, and one at each end
    assert_same(before, after, {"N": 2}, {"N": 5})


@pytest.mark.parametrize("name", STAY)
def test_other_sums_stay(name: str) -> None:
    before = program(STAY[name])
    assert forward_sums(before) is before


@pytest.mark.parametrize("text", [CONV, CUMSUM, DTW, GATHER, LSTM, MATVEC])
def test_nothing_to_add(text: str) -> None:
    before = program(text)
    assert forward_sums(before) is before
