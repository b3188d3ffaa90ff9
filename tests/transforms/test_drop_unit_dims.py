from polyad.ops.program_text import parse_program
from polyad.transforms.passes.coalesce_copies import coalesce_copies
from polyad.transforms.passes.drop_unit_dims import drop_unit_dims
from polyad.transforms.passes.inline import inline
from tests.transforms.equivalence import assert_same

ONE_SEQUENCE = """
program one_sequence: [T, H] -> { : T >= 1 and H >= 1 }
  input     x: float64[T, 1, H]
  input     U: float64[H, H]
  temporary h: float64[T + 1, 1, H]
  temporary p: float64[T, 1, H]
  temporary q: float64[T, 1, H]
  temporary g: float64[T, 1, H]
  temporary h_new: float64[T, 1, H]
  output    y: float64[H]
  H0: [T, H] -> { H0[i, k] : i = 0 and 0 <= k < H }
      h[0, i, k] = 1.0
  P: [T, H] -> { P[t, i, k, j] : 0 <= t < T and i = 0 and 0 <= k < H and 0 <= j < H }
      p[t, i, k] += U[k, j] * h[t, i, j]
  Q: [T, H] -> { Q[t, i, k, i_1] : 0 <= t < T and i = 0 and 0 <= k < H and i_1 = 0 }
      q[t, i, k] += p[t, i_1, k]
  G: [T, H] -> { G[t, i, k] : 0 <= t < T and i = 0 and 0 <= k < H }
      g[t, i, k] = q[t, 0, k] + x[t, i, k]
  N: [T, H] -> { N[t, i, k] : 0 <= t < T and i = 0 and 0 <= k < H }
      h_new[t, i, k] = tanh(g[t, 0, k])
  H1: [T, H] -> { H1[t, i, k] : 0 <= t < T and i = 0 and 0 <= k < H }
      h[t + 1, i, k] = h_new[t, i, k]
  Y: [T, H] -> { Y[t, k] : t = T - 1 and 0 <= k < H }
      y[k] = h[t, 0, k]
"""

BORDER = """
program border: [N] -> { : N >= 1 }
  input     x: float64[N]
  output    y: float64[8]
  S: [N] -> { S[i] : i = 7 }
      y[i] = 2.0
  R: [N] -> { R[i, r] : 0 <= i < 7 and r = 0 }
      y[i] += x[r]
"""


def test_an_axis_of_extent_one_makes_no_dimension() -> None:
    before = parse_program(ONE_SEQUENCE)
    after = drop_unit_dims(before)
    assert {s.name: s.dims for s in after.statements} == {
        "H0": ("k",),
        "P": ("t", "k", "j"),
        "Q": ("t", "k"),
        "G": ("t", "k"),
        "N": ("t", "k"),
        "H1": ("t", "k"),
        "Y": ("t", "k"),  # one step of many: it says which
    }
    assert after.statement("Q").reduction is None, "one contribution to every element is a definition"
    assert_same(before, after)


def test_copies_are_seen_through_it() -> None:
    before = parse_program(ONE_SEQUENCE)
    after = coalesce_copies(inline(drop_unit_dims(before)))
    assert {s.array for s in after.statements} == {"h", "p", "y"}
    assert_same(before, after)


def test_one_element_of_a_longer_axis_keeps_its_dimension() -> None:
    before = parse_program(BORDER)
    after = drop_unit_dims(before)
    assert after.statement("S").dims == ("i",) and after.statement("R").dims == ("i",)
    assert after.statement("R").reduction == "sum", "y has another writer"
    assert_same(before, after)
    assert drop_unit_dims(after) is after
