"""One order for the same equations, however they are listed: checked on text, which shows the order."""

from random import Random

import pytest

from polyad.ir.program import Program
from polyad.transforms.passes.canonical_order import canonical_order
from tests.aimed_programs import aimed
from tests.programs import program
from tests.programs_gradient import LSTM_GRADIENT
from tests.renamed import Renaming, shuffled_program


def shuffled(p: Program, seed: int) -> Program:
    return shuffled_program(p, Random(seed))


def places(p: Program) -> list[str]:
    return [s.name for s in canonical_order(p).statements]


@pytest.mark.parametrize("number", [None, *range(12)])
def test_listing_and_names_decide_nothing(number: int | None) -> None:
    p = program(LSTM_GRADIENT) if number is None else aimed(number)
    other = shuffled(p, 1)
    assert str(other) != str(p)
    assert str(canonical_order(other)) == str(canonical_order(p))
    renamed = Renaming.of(p, 2, shuffled=True)
    assert [renamed.back(n) for n in places(renamed.program)] == places(p)


def test_a_program_in_order_stays_itself() -> None:
    p = canonical_order(program(LSTM_GRADIENT))
    assert canonical_order(p) is p


def test_what_is_needed_comes_first_and_the_rest_not_at_all() -> None:
    p = program("""
program p: [N] -> { : N >= 1 }
  input     x: float64[N]
  temporary unused: float64[N]
  temporary b: float64[N]
  temporary a: float64[N]
  output    far: float64[N]
  output    near: float64[N]
  dead: [N] -> { dead[i] : 0 <= i < N }
      unused[i] = x[i]
  add: [N] -> { add[i, k] : 0 <= i < N and 0 <= k < N }
      far[i] += b[i] * x[k]
  far: [N] -> { far[i] : 0 <= i < N }
      far[i] = 0.0
  Sb: [N] -> { Sb[i] : 0 <= i < N }
      b[i] = sin(a[i])
  Sa: [N] -> { Sa[i] : 0 <= i < N }
      a[i] = cos(x[i])
  near: [N] -> { near[i] : 0 <= i < N }
      near[i] = x[i] * a[i]
""")
    ordered = canonical_order(p)
    assert places(p) == ["Sa", "near", "far", "Sb", "add"]
    assert [*ordered.arrays] == ["x", "a", "near", "far", "b"]
    assert ordered.outputs == p.outputs == ("far", "near")


# y gets four sums that are alike but for the array in them; what else reads it, or what it is made of, differs.
ALIKE = """
program p: [N] -> { : N >= 1 }
  input     x: float64[N]
  input     z: float64[N]
  temporary c: float64[N]
  temporary a: float64[N]
  temporary d: float64[N]
  temporary b: float64[N]
  output    y: float64[]
  output    w: float64[N]
  Sa: [N] -> { Sa[i] : 0 <= i < N }
      a[i] = sin(x[i])
  Sb: [N] -> { Sb[i] : 0 <= i < N }
      b[i] = sin(x[i])
  Sc: [N] -> { Sc[i] : 0 <= i < N }
      c[i] = cos(x[i])
  Sd: [N] -> { Sd[i] : 0 <= i < N }
      d[i] = sin(z[i])
  y_d: [N] -> { y_d[i] : 0 <= i < N }
      y[] += d[i]
  y_b: [N] -> { y_b[i] : 0 <= i < N }
      y[] += b[i]
  y_c: [N] -> { y_c[i] : 0 <= i < N }
      y[] += c[i]
  y_a: [N] -> { y_a[i] : 0 <= i < N }
      y[] += a[i]
  Sw: [N] -> { Sw[i] : 0 <= i < N }
      w[i] = b[i]
"""


def test_equations_that_are_alike_are_told_apart_by_what_is_around() -> None:
    p = program(ALIKE)
    expected = places(p)
    assert all(places(shuffled(p, seed)) == expected for seed in range(20))


def test_where_only_names_differ_the_text_differs_in_names_only() -> None:
    p = program(ALIKE.replace("w[i] = b[i]", "w[i] = x[i]"))
    seen = {tuple(places(shuffled(p, seed))) for seed in range(20)}
    swapped = str.maketrans("ab", "ba")
    assert {tuple(n.translate(swapped) for n in names) for names in seen} == seen and len(seen) == 2
