import pytest

from polyad.ir.program import Program
from polyad.ops.program_text import parse_program
from polyad.semantics.verify import verify
from polyad.transforms.passes.hoist_invariants import hoist_invariants
from tests.transforms.equivalence import assert_same

# A sweep of coefficients that C computes anew in each step and row, and what is computed from it.
SWEEP = """
program sweep: [T, N] -> { : T >= 0 and N >= 0 }
  input     a: float64[]
  input     x: float64[T, N, N]
  temporary z: float64[T, N]
  temporary p: float64[T, N, N]
  temporary v: float64[T, N, N]
  output    y: float64[T, N, N]
  Z: [T, N] -> { Z[t, i] : 0 <= t < T and 0 <= i < N }
      z[t, i] = exp(a[])
  P: [T, N] -> { P[t, i, j] : 0 <= t < T and 0 <= i < N and 0 < j < N }
      p[t, i, j] = tanh(a[] * p[t, i, j - 1] + z[T - 1 - t, i])
  P0: [T, N] -> { P0[t, i] : 0 <= t < T and 0 <= i < N }
      p[t, i, 0] = z[t, N - 1 - i]
  V: [T, N] -> { V[t, i, j] : 0 <= t < T and 0 <= i < N and 0 <= j < N }
      v[t, i, j] = p[t, i, j] * x[t, i, j]
  Y: [T, N] -> { Y[t, i, j] : 0 <= t < T and 0 <= i < N and 0 <= j < N }
      y[t, i, j] = v[t, j, i] + p[t, j, N - 1 - i]
"""


def rank(program: Program) -> dict[str, int]:
    return {name: len(a.shape) for name, a in program.arrays.items() if a.is_temporary}


@pytest.mark.parametrize("sizes", [{"T": 0, "N": 3}, {"T": 3, "N": 0}, {"T": 1, "N": 1}, {"T": 3, "N": 4}])
def test_what_is_the_same_in_all_iterations_leaves_the_loops(sizes: dict[str, int]) -> None:
    before = parse_program(SWEEP)
    after = hoist_invariants(before)
    assert rank(after) == {"z": 0, "p": 1, "v": 3}
    assert {s.name: s.dims for s in after.statements if s.array in "zp"} == {"Z": (), "P": ("j",), "P0": ()}
    verify(after)
    assert_same(before, after, sizes)
    assert hoist_invariants(after) is after


CHANGED = {
    "an index": ("exp(a[])", "exp(a[] * index(t))"),
    "an element of an input": ("exp(a[])", "exp(x[t, i, 0])"),
    "an element of what changes": ("+ z[T - 1 - t, i]", "+ v[0, i, j - 1] * index(t)"),
}


@pytest.mark.parametrize("what", CHANGED)
def test_what_changes_stays(what: str) -> None:
    before = parse_program(SWEEP.replace(*CHANGED[what]))
    verify(before)
    after = hoist_invariants(before)
    assert rank(after)["p"] > 1
    assert_same(before, after, {"T": 3, "N": 4})


# Each element of p is a copy of one of u; the domain says which, and neither the write nor the body.
TIED = """
program tied: [N] -> { : N >= 1 }
  input     u: float64[N]
  temporary p: float64[1, 2*N]
  temporary q: float64[1, 2*N]
  output    y: float64[2*N]
  P: [N] -> { P[i, a] : 0 <= i < 2N and i - 1 <= 2a <= i }
      p[0, i] = u[a]
  Q: [N] -> { Q[i] : 0 <= i < 2N }
      q[0, i] = p[0, i]
  Y: [N] -> { Y[i] : 0 <= i < 2N }
      y[i] = q[0, i]
"""


@pytest.mark.parametrize("n", [1, 2, 5])
def test_what_a_domain_ties_to_an_index_stays(n: int) -> None:
    before = parse_program(TIED)
    verify(before)
    after = hoist_invariants(before)
    verify(after)
    assert_same(before, after, {"N": n})


CHAIN = """
program chain: [T, N] -> { : T >= 1 and N >= 1 }
  input     x: float64[N]
  temporary s: float64[T + 1, N]
  output    y: float64[N]
  S0: [T, N] -> { S0[i] : 0 <= i < N }
      s[0, i] = exp(x[i])
  S: [T, N] -> { S[t, i] : 0 <= t < T and 0 <= i < N }
      s[t + 1, i] = tanh(s[t, i])
  Y: [T, N] -> { Y[i] : 0 <= i < N }
      y[i] = s[T, i]
"""

PARTS = """
program parts: [T, N] -> { : T >= 3 and N >= 1 }
  input     x: float64[N]
  temporary s: float64[T, N]
  output    y: float64[T, N]
  S0: [T, N] -> { S0[t, i] : 0 <= t < 2 and 0 <= i < N }
      s[t, i] = exp(x[i])
  S: [T, N] -> { S[t, i] : 2 <= t < T and 0 <= i < N }
      s[t, i] = tanh(x[i])
  Y: [T, N] -> { Y[t, i] : 0 <= t < T and 0 <= i < N }
      y[t, i] = s[t, i]
"""

DIAGONAL = """
program diagonal: [N] -> { : N >= 1 }
  input     x: float64[]
  input     p: int32[N]
  temporary s: float64[N, N]
  temporary r: float64[N]
  output    y: float64[N]
  S: [N] -> { S[i] : 0 <= i < N }
      s[i, i] = exp(x[])
  R: [N] -> { R[i] : 0 <= i < N }
      r[i] = exp(x[])
  Y: [N] -> { Y[i] : 0 <= i < N }
      y[i] = s[i, i] * r[p[i]]
"""


@pytest.mark.parametrize("text", [CHAIN, PARTS, DIAGONAL], ids=["steps", "two equations", "diagonal and data"])
def test_where_elements_have_several_equations_nothing_moves(text: str) -> None:
    before = parse_program(text)
    assert hoist_invariants(before) is before
