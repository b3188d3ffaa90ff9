from polyad.ops.program_text import parse_program
from polyad.transforms.passes.unstride import unstride
from tests.transforms.equivalence import assert_same

EVERY_OTHER = """
program every_other: [N] -> { : N >= 1 }
  input     x: float64[N, 3]
  output    y: float64[2 * N + 1, 3]
  S: [N] -> { S[a, j] : a mod 2 = 1 and 0 < a < 2 * N and 0 <= j < 3 }
      y[a, j] = x[(a - 1) // 2, j] * 2.0
  R: [N] -> { R[a, j] : a mod 2 = 0 and 0 <= a <= 2 * N and 0 <= j < 3 }
      y[a, j] = 1.0
"""


def test_steps_become_one() -> None:
    before = parse_program(EVERY_OTHER)
    after = unstride(before)
    odd, even = after.statements
    assert str(odd.write) == "[N] -> { S[a, j] -> y[(1 + 2a), (j)] }"
    assert str(even.write) == "[N] -> { R[a, j] -> y[(2a), (j)] }"
    assert "//" not in str(after) and "mod" not in str(after)
    assert_same(before, after)


def test_what_has_no_holes_stays() -> None:
    after = unstride(parse_program(EVERY_OTHER))
    assert [a is b for a, b in zip(unstride(after).statements, after.statements, strict=True)] == [True, True]
