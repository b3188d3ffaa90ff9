import pytest

from polyad.ops.program_text import parse_program
from polyad.transforms.passes.share_reciprocals import share_reciprocals
from tests.transforms.equivalence import assert_same

SLOPE = """
program slope: [N] -> { : N >= 1 }
  input     s: float64[N + 1]
  input     y: float64[N]
  output    g: float64[N]
  S: [N] -> { S[t] : 0 <= t < N }
      g[t] = BODY
"""


def body(text: str) -> str:
    before = parse_program(SLOPE.replace("BODY", text))
    after = share_reciprocals(before)
    assert_same(before, after)
    (line,) = [line for line in str(after).splitlines() if "g[t]" in line]
    return line.split("=", 1)[1].strip()


def test_one_division_for_each_divisor() -> None:
    shared = "(1.0 / s[t])"
    assert body("1.0 / s[t] * 2.0 - exp(y[t] / s[t])") == body(f"1.0 / s[t] * 2.0 - exp(y[t] * {shared})")
    assert body("y[t] / s[t] + 1.0 / s[t]").count("div") == 2, (
        "both operands say the reciprocal, which is computed once"
    )


@pytest.mark.parametrize(
    "text",
    [
        "y[t] / s[t]",  # no reciprocal is there
        "1.0 / s[t + 1] + y[t] / s[t]",  # that of another number
        "exp(-(1.0 / s[t])) + y[t] / s[t]",  # which would be finite for a denormal s[t]
        "select(gt(y[t], 0.5), 1.0 / s[t], y[t] / s[t])",  # not always there
    ],
)
def test_other_quotients_stay(text: str) -> None:
    program = parse_program(SLOPE.replace("BODY", text))
    assert share_reciprocals(program) is program
