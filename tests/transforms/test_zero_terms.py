import pytest

from polyad.ops.program_text import parse_program
from polyad.transforms.passes.zero_terms import drop_zero_terms
from tests.transforms.equivalence import assert_same

FRAMED = """
program framed: [N] -> { : N >= 3 }
  input     x: float64[N]
  input     r: float64[N]
  temporary y: float64[N]
  output    s: float64[]
  output    z: float64[N]
  Y: [N] -> { Y[i] : 0 < i < N - 1 }
      y[i] = x[i] * x[i]
  B: [N] -> { B[i] : i = 0 or i = N - 1 }
      y[i] = 0.0
  S: [N] -> { S[i] : 0 <= i < N }
      s[] += BODY
  Z: [N] -> { Z[i] : 0 <= i < N }
      z[i] = y[i] + 1.0
"""


def test_terms_with_a_zero_factor_go() -> None:
    before = parse_program(FRAMED.replace("BODY", "y[i] * r[i]"))
    after = drop_zero_terms(before)
    assert "0 < i" in str(after.statement("S").domain) and after.statement("S").domain.n_basic_set() == 1
    assert after.statement("Z").domain.is_equal(before.statement("Z").domain)
    assert_same(before, after, {"N": 3}, {"N": 6})


@pytest.mark.parametrize(
    "text",
    [
        FRAMED.replace("BODY", "y[i] + r[i]"),  # the term does not vanish
        FRAMED.replace("BODY", "y[i] * r[i]").replace("s[] +=", "s[] max="),
        FRAMED.replace("BODY", "x[i] * r[i]"),
        FRAMED.replace("BODY", "y[i] * r[i]").replace("0 < i < N - 1", "0 <= i < N and i != 1").replace(
            "i = 0 or i = N - 1", "i = 1"
        ),  # two pieces would be left
    ],
)  # fmt: skip
def test_what_stays(text: str) -> None:
    program = parse_program(text)
    assert drop_zero_terms(program) is program


def test_a_sum_that_would_be_empty_stays() -> None:
    program = parse_program(
        FRAMED.replace("BODY", "y[i] * r[i]").replace("S[i] : 0 <= i < N", "S[i] : i = 0")
    )  # fmt: skip
    assert drop_zero_terms(program) is program


def test_states_of_recurrences_keep_their_zeros() -> None:
    program = parse_program(
        """
program scan: [T] -> { : T >= 1 }
  input     x: float64[T]
  temporary h: float64[T + 1]
  temporary z: float64[T]
  output    y: float64[]
  H0: [T] -> { H0[] }
      h[0] = 0.0
  Z: [T] -> { Z[t] : 0 <= t < T }
      z[t] += h[t] * x[t]
  H: [T] -> { H[t] : 0 <= t < T }
      h[t + 1] = z[t] + x[t]
  Y: [T] -> { Y[] }
      y[] = h[T]
"""
    )
    assert drop_zero_terms(program) is program
