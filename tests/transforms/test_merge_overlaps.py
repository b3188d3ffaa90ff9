import islpy
import pytest

from polyad.ir.program import Program
from polyad.machine import TINY
from polyad.ops.program_text import parse_program
from polyad.transforms.passes.initialise import initialise
from polyad.transforms.passes.merge_overlaps import merge_overlaps
from tests.programs import CONV, CUMSUM, DTW, GATHER, LSTM, MATVEC, program
from tests.transforms.equivalence import assert_same

LINE = """
program line: [N] -> { : N >= 1 }
  input     f: float64[N]
  output    z: float64[N]
  C: [N] -> { C[i] : 0 <= i < N }
      z[i] = 2.0 * f[i]
  L: [N] -> { L[i] : 1 <= i < N }
      z[i] += f[i - 1]
  R: [N] -> { R[i] : 1 <= i < N }
      z[i - 1] += f[i]
"""

# What nothing contributes to stays zero, and is so once no contribution is left to say it.
PART = """
program part: [N] -> { : N >= 1 }
  input     f: float64[N]
  output    z: float64[N + 2]
  L: [N] -> { L[i] : 0 <= i < N }
      z[i + 1] += f[i]
  R: [N] -> { R[i] : 0 <= i < N }
      z[i + 1] += 2.0 * f[i]
"""

# The adjoint of u[t + 1] = u[t] + lap(u[t]) inside, u[t + 1] = u[t] on the border: time runs downwards.
PLANE = """
program plane: [T, N] -> { : T >= 1 and N >= 3 }
  input     y: float64[N, N]
  temporary z: float64[T + 1, N, N]
  output    out: float64[N, N]
  S: [T, N] -> { S[i, j] : 0 <= i < N and 0 <= j < N }
      z[T, i, j] = y[i, j]
  C: [T, N] -> { C[t, i, j] : 0 <= t < T and 0 < i < N - 1 and 0 < j < N - 1 }
      z[t, i, j] = 0.6 * z[t + 1, i, j]
  B: [T, N] -> { B[t, i, j] : 0 <= t < T and 0 <= i < N and 0 <= j < N and (i = 0 or i = N - 1 or j = 0 or j = N - 1) }
      z[t, i, j] = z[t + 1, i, j]
  U: [T, N] -> { U[t, i, j] : 0 <= t < T and 0 < i < N - 1 and 0 < j < N - 1 }
      z[t, i - 1, j] += 0.1 * z[t + 1, i, j]
  D: [T, N] -> { D[t, i, j] : 0 <= t < T and 0 < i < N - 1 and 0 < j < N - 1 }
      z[t, i + 1, j] += 0.1 * z[t + 1, i, j]
  L: [T, N] -> { L[t, i, j] : 0 <= t < T and 0 < i < N - 1 and 0 < j < N - 1 }
      z[t, i, j - 1] += 0.1 * z[t + 1, i, j]
  R: [T, N] -> { R[t, i, j] : 0 <= t < T and 0 < i < N - 1 and 0 < j < N - 1 }
      z[t, i, j + 1] += 0.1 * z[t + 1, i, j]
  O: [T, N] -> { O[i, j] : 0 <= i < N and 0 <= j < N }
      out[i, j] = z[0, i, j]
"""

# Two steps back in time: the last step of the loop lacks a term, and gets an interior of its own.
LATE = """
program late: [T, N] -> { : T >= 1 and N >= 1 }
  input     y: float64[N]
  temporary z: float64[T + 1, N]
  output    out: float64[N]
  S: [T, N] -> { S[i] : 0 <= i < N }
      z[T, i] = y[i]
  C: [T, N] -> { C[t, i] : 0 <= t < T and 0 <= i < N }
      z[t, i] = 0.5 * z[t + 1, i]
  L: [T, N] -> { L[t, i] : 0 <= t < T and 1 <= i < N }
      z[t, i] += 0.25 * z[t + 1, i - 1]
  P: [T, N] -> { P[t, i] : 0 <= t < T - 1 and 0 <= i < N }
      z[t, i] += 0.125 * z[t + 2, i]
  O: [T, N] -> { O[i] : 0 <= i < N }
      out[i] = z[0, i]
"""

# Contributions along a fibre and to a maximum are not added up; those that only share a border stay apart.
STAYS = """
program stays: [N, K] -> { : N >= 1 and K >= 1 }
  input     A: float64[N, K]
  output    y: float64[N]
  output    m: float64[N]
  output    b: float64[2*N]
  Y: [N, K] -> { Y[i] : 0 <= i < N }
      y[i] = A[i, 0]
  F: [N, K] -> { F[i, k] : 0 <= i < N and 0 <= k < K }
      y[i] += A[i, k]
  M: [N, K] -> { M[i] : 0 <= i < N }
      m[i] max= A[i, 0]
  Q: [N, K] -> { Q[i] : 0 <= i < N }
      m[i] max= A[N - 1 - i, 0]
  B: [N, K] -> { B[i] : 0 <= i < N }
      b[i] += A[i, 0]
  H: [N, K] -> { H[i] : 0 <= i <= N }
      b[i + N - 1] += A[0, 0]
"""


@pytest.mark.parametrize("text", [MATVEC, CONV, CUMSUM, DTW, GATHER, LSTM, STAYS])
def test_nothing_to_merge(text: str) -> None:
    before = program(text)
    assert merge_overlaps(before) is before


@pytest.mark.parametrize("text", [LINE, PART, PLANE, LATE])
@pytest.mark.parametrize("steps", [1, 2, 4])
@pytest.mark.parametrize("size", [3, 4, 5, 6, 9])
def test_values_stay(text: str, steps: int, size: int) -> None:
    before = program(text)
    sizes = {"T": steps, "N": size}
    assert_same(before, initialise(merge_overlaps(before)), {p: sizes[p] for p in before.params})


def definitions(after: Program, array: str) -> list[int]:
    """The number of terms of each definition, most first."""
    counts = [sum(1 for _ in s.reads()) for s in after.writers()[array] if s.reduction is None]
    return sorted(counts, reverse=True)


def test_a_line_has_one_equation_for_its_interior() -> None:
    after = merge_overlaps(program(LINE))
    assert all(s.reduction is None for s in after.writers()["z"])
    assert definitions(after, "z") == [3, 2, 2, 1]  # the last one where N is 1


def test_a_plane_keeps_contributions_on_border_rows_only() -> None:
    after = merge_overlaps(program(PLANE))
    assert definitions(after, "z")[0] == 5
    assert sum(s.reduction is None for s in after.writers()["z"]) == 7  # 5 pieces of rows, zeros, the last time
    rest = [s for s in after.writers()["z"] if s.reduction == "sum"]
    rows = islpy.Set("[T, N] -> { z[t, i, j] : i < 2 or i > N - 3 }")
    assert len(rest) == 6  # B, C and the four neighbours
    assert all(s.write_relation().range().is_subset(rows) for s in rest)


def test_each_stretch_of_time_has_its_interior() -> None:
    after = merge_overlaps(program(LATE))
    assert all(s.reduction is None for s in after.writers()["z"])
    assert definitions(after, "z")[:2] == [3, 2]


@pytest.mark.parametrize("first", ["j <= 4 - i", "i <= j and j <= 4"])
def test_zeros_of_the_border_stay_inside(first: str) -> None:
    """The elements that two triangles reach have a simple hull that is larger than the array."""
    before = parse_program(
        f"""
program triangles: [N] -> {{ : N >= 1 }}
  input     x: float64[6, 6]
  output    z: float64[6, 6]
  S: [N] -> {{ S[i, j] : 0 <= i and 0 <= j and {first} }}
      z[i, j + 1] += sin(x[i, j])
  R: [N] -> {{ R[i, j] : 0 <= i and i <= j <= 4 }}
      z[i + 1, j + 1] += sin(x[i, j])
"""
    )
    after = merge_overlaps(before, TINY)
    assert after is not before
    assert_same(before, after)
