import pytest

from polyad.ir.program import Program
from polyad.ops.program_text import parse_program
from polyad.transforms.passes.keep_reciprocals import keep_reciprocals
from tests.transforms.equivalence import assert_same

PROGRAM = """
program slope: [N] -> {{ : N >= 1 }}
  input     x: float64[N + 1]
  temporary s: float64[N + 1]
  output    f: float64[N]
  output    g: float64[N]
  S: [N] -> {{ S[t] : 0 <= t <= N }}
      s[t] = {s}
  F: [N] -> {{ F[t] : 0 <= t < {end} }}
      f[t] = {f}
  F_2: [N] -> {{ F_2[t] : {end} <= t < N }}
      f[t] = 0.0
  G: [N] -> {{ G[t] : 0 <= t < N }}
      g[t] = {g}
"""


def program(
    s: str = "exp(x[t])", f: str = "x[t] * (1.0 / s[t])", g: str = "1.0 / s[t + 1] - x[t]", end: str = "N"
) -> Program:
    return parse_program(PROGRAM.format(s=s, f=f, g=g, end=end))


def test_each_element_is_divided_by_once() -> None:
    before = program()
    after = keep_reciprocals(before)
    assert_same(before, after)
    (new,) = [s for s in after.statements if s.array == "s_reciprocal"]
    assert str(new.domain) == "[N] -> { s_reciprocal[i0] : 0 <= i0 <= N }"
    assert str(after).count("div") + str(after).count(" / ") == 1


def test_a_part_of_the_elements() -> None:
    """Nothing is divided by that nobody takes the reciprocal of."""
    before = program(f="1.0 / s[t] + 1.0 / s[t]", g="1.0 / s[t]", end="N - 1")
    after = keep_reciprocals(before)
    assert_same(before, after)
    (new,) = [s for s in after.statements if s.array == "s_reciprocal"]
    assert str(new.domain) == "[N] -> { s_reciprocal[i0] : 0 <= i0 < N }"


@pytest.mark.parametrize(
    "parts",
    [
        {"g": "1.0 / s[t] - x[t]"},  # the same elements: one loop, and the C compiler sees it
        {"g": "x[t] / s[t + 1]"},  # the reciprocal of one reader only
        {"f": "1.0 / s[0]"},  # one number for all
        {"s": "exp(x[t])", "f": "1.0 / x[t]", "g": "1.0 / x[t + 1]"},  # of an input
        {"f": "1.0 / s[t]", "g": "1.0 / s[N]"},
    ],
)
def test_others_stay(parts: dict[str, str]) -> None:
    before = program(**parts)
    assert keep_reciprocals(before) is before


def test_pieces_that_share_no_element_stay() -> None:
    text = PROGRAM.replace("g[t] = {g}", "g[t] = x[t]").replace("f[t] = 0.0", "f[t] = 1.0 / s[t]")
    before = parse_program(text.format(s="exp(x[t])", f="1.0 / s[t]", end="N - 1"))
    assert keep_reciprocals(before) is before


RECURRENCE = """
program newton: [N] -> { : N >= 1 }
  input     x: float64[N]
  temporary s: float64[N + 2]
  output    y: float64[N]
  Z: [N] -> { Z[t] : 0 <= t <= 1 }
      s[t] = 1.0
  S: [N] -> { S[t] : 0 <= t < N }
      s[t + 2] = x[t] + 1.0 / s[t + 1] + 1.0 / s[t]
  Y: [N] -> { Y[t] : 0 <= t < N }
      y[t] = 1.0 / s[t + 2]
"""


def test_a_recurrence_does_not_wait_for_its_reciprocals() -> None:
    before = parse_program(RECURRENCE)
    assert keep_reciprocals(before) is before
