"""Sums over earlier steps run along rows of memory: gathered by the step that needs them, or added by each step."""

import numpy as np
import pytest

from polyad.ir.affine import Affine
from polyad.schedule.order.joint_recurrences import clusters_of
from polyad.schedule.order.right_looking import right_looking
from polyad.schedule.state.problem import Problem, Rows, problem_of
from polyad.semantics.evaluate import evaluate
from polyad.transforms.passes.initialise import initialise
from tests.codegen.compiled import Library, source_of
from tests.programs import program

SOLVE = """
program solve: [N] -> {{ : N >= 0 }}
  input     L: float64[N, N]
  input     b: float64[N]
  temporary s: float64[N]
  output    x: float64[N]
  B: [N] -> {{ B[i] : 0 <= i < N }}
      s[i] = b[i]
  S: [N] -> {{ S[i, j] : 0 <= i < N and {later} }}
      s[i] += -({element} * x[j])
  X: [N] -> {{ X[i] : 0 <= i < N }}
      x[i] = s[i] / (L[i, i] + 4.0)
"""
ALONG_ROWS = SOLVE.format(later="0 <= j < i", element="L[i, j]")
ALONG_COLUMNS = SOLVE.format(later="i < j < N", element="L[j, i]")

# Two sums into one array, each of them over columns that are done: the adjoint of a Cholesky factorisation.
FACTORS = """
program factors: [N] -> { : N >= 0 }
  input     A: float64[N, N]
  input     C: float64[N, N]
  temporary s: float64[N, N]
  output    x: float64[N, N]
  B: [N] -> { B[i, j] : 0 <= j <= i < N }
      s[i, j] = C[i, j]
  S: [N] -> { S[i, j, k] : 0 <= j < i and i < k < N }
      s[i, j] += -(A[k, j] * x[k, i])
  T: [N] -> { T[i, j, k] : 0 <= j < k < i and i < N }
      s[i, j] += -(A[k, j] * x[i, k])
  X: [N] -> { X[i, j] : 0 <= j <= i < N }
      x[i, j] = 0.5 * s[i, j]
  Z: [N] -> { Z[i, j] : 0 <= i < j < N }
      x[i, j] = 0.0
"""

BELOW = """
program below: [N] -> { : N >= 0 }
  input     C: float64[N, N]
  temporary s: float64[N, N]
  output    x: float64[N, N]
  B: [N] -> { B[i, j] : 0 <= i < N and 0 <= j < N }
      s[i, j] = C[i, j]
  S: [N] -> { S[i, j, k] : 0 <= k < j < i < N }
      s[i, j] += -(x[i, k] * x[j, k])
  X: [N] -> { X[i, j] : 0 <= i < N and 0 <= j < N }
      x[i, j] = 0.5 * s[i, j]
"""


def recurrence(text: str) -> tuple[Problem, Rows]:
    """The statements of a recurrence, and the rows of its loop."""
    problem = problem_of(initialise(program(text)))
    (cluster,) = (c for c in clusters_of(problem) if c.recurrence)
    assert len(cluster.loops) == 1
    return problem.only(cluster.names), cluster.rows


def row(text: str) -> Affine:
    return Affine.of(text[1:]) * -1 if text.startswith("-") else Affine.of(text)


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        (ALONG_ROWS, {"S": "i", "X": "i"}),
        (ALONG_COLUMNS, {"S": "-j", "X": "-i"}),
        (FACTORS, {"S": "-i", "T": "-k", "X": "-j"}),
    ],
)
def test_sums_run_along_memory(text: str, expected: dict[str, str]) -> None:
    rows = recurrence(text)[1]
    assert {n: Affine(rows[n].terms, 0) for n in expected} == {n: row(r) for n, r in expected.items()}


def test_a_sum_that_runs_along_memory_keeps_its_loop() -> None:
    problem, rows = recurrence(ALONG_ROWS)
    assert right_looking(problem, rows) is rows


@pytest.mark.parametrize("text", [ALONG_ROWS, ALONG_COLUMNS, FACTORS, BELOW])
@pytest.mark.quick_cases(2)
def test_values(text: str) -> None:
    defined, source = source_of(text)
    library = Library(source)
    random = np.random.default_rng(0)
    for n in (*range(10), 21):
        sizes = {"N": n}
        inputs = {
            a: random.standard_normal([e.evaluate(sizes) for e in defined.arrays[a].shape]) for a in defined.inputs
        }
        expected = evaluate(defined, inputs, sizes)
        np.testing.assert_allclose(library.run(sizes, inputs)["x"], expected["x"], rtol=1e-9, atol=1e-9)


def test_blocks_begin_where_their_loop_does() -> None:
    c = source_of(BELOW)[1].c
    assert "i_tile = j + 1; i_tile < N; i_tile += 8" in c, c
    assert "s_sum_7 += " in c, "blocks that are whole run as one"
