"""Starts of the sums of a recurrence, apart from those of other sums of the same array."""

import pytest

from polyad.ir.program import Program
from polyad.transforms.rewrite.split_starts import split_starts
from tests.programs import program
from tests.transforms.equivalence import assert_same

STEPS = """
program steps: [T, H] -> { : T >= 0 and H >= 0 }
  input     b: float64[H]
  input     h0: float64[H]
  temporary z: float64[T, H]
  temporary h: float64[T, H]
  output    y: float64[T, H]
  Z: [T, H] -> { Z[t, i] : 0 <= t < T and 0 <= i < H }
      z[t, i] = b[i]
  F: [T, H] -> { F[i, j] : T > 0 and 0 <= i < H and 0 <= j < H }
      z[0, i] += 0.5 * h0[j]
  R: [T, H] -> { R[t, i, j] : 1 <= t < T and 0 <= i < H and 0 <= j < H }
      z[t, i] += 0.5 * h[t - 1, j]
  S: [T, H] -> { S[t, i] : 0 <= t < T and 0 <= i < H }
      h[t, i] = tanh(z[t, i])
  Y: [T, H] -> { Y[t, i] : 0 <= t < T and 0 <= i < H }
      y[t, i] = h[t, i]
"""

AS_ONE = {
    "all steps begin with what is added outside": STEPS.replace("F[i, j] : T > 0", "F[t, i, j] : 0 <= t < T").replace(
        "z[0, i] += 0.5 * h0[j]", "z[t, i] += 0.5 * h0[j]"
    ),
    "nothing is added outside": STEPS.replace(
        "F[i, j] : T > 0 and 0 <= i < H and 0 <= j < H", "F[t, i, j] : 1 <= t < T and 0 <= i < H and 0 <= j < H"
    ).replace("z[0, i] += 0.5 * h0[j]", "z[t, i] += 0.5 * h[t - 1, j]"),
    "no recurrence": STEPS.replace("h[t - 1, j]", "b[j]"),
    "an output": STEPS.replace("temporary z", "output    z"),
}


def starts(given: Program) -> list[str]:
    return [str(s.domain) for s in given.statements if s.array == "z" and s.reduction is None]


def test_steps_and_what_is_before_them_are_two() -> None:
    before = program(STEPS)
    after = split_starts(before)
    assert starts(after) == [
        "[T, H] -> { Z[t, i] : 0 < t < T and 0 <= i < H }",
        "[T, H] -> { Z_1[t = 0, i] : T > 0 and 0 <= i < H }",
    ]
    assert_same(before, after, {"T": 0, "H": 2}, {"T": 1, "H": 2}, {"T": 4, "H": 3}, {"T": 3, "H": 0})


def test_steps_of_several_kinds_are_several() -> None:
    """The first sum of a row reads another row, and so has a statement of its own: so has its start."""
    before = program(
        STEPS.replace("1 <= t < T and 0 <= i < H and 0 <= j < H", "1 <= t < T and 1 <= i < H and 0 <= j < H").replace(
            "  S: ",
            "  Q: [T, H] -> { Q[t, j] : 1 <= t < T and H > 0 and 0 <= j < H }\n"
            "      z[t, 0] += 0.25 * h[t - 1, j]\n  S: ",
        )
    )
    after = split_starts(before)
    assert len(starts(after)) == 3
    assert_same(before, after, {"T": 0, "H": 2}, {"T": 1, "H": 2}, {"T": 4, "H": 3}, {"T": 3, "H": 0})


@pytest.mark.parametrize("what", AS_ONE)
def test_one_definition_stays_one(what: str) -> None:
    before = program(AS_ONE[what])
    assert split_starts(before) is before
