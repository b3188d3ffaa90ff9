"""Indices that wrap around: which statements are split, into what, and that results stay."""

import islpy as isl
import pytest

import polyad as pa
from polyad.frontend.compiled import program_of
from polyad.ir.program import Program
from polyad.ops.program_text import parse_program
from polyad.passes import prepare
from polyad.schedule.scheduler import default_schedule
from polyad.transforms.passes.split_wraps import split_wraps
from tests.transforms.equivalence import assert_same

NONE: dict[str, int] = {}


def reading(*indices: str, extent: int = 50, rows: str = "i") -> Program:
    """y[i, j] = the sum of x[rows, index], over indices in terms of j."""
    reads = " + ".join(f"x[{rows}, {index}]" for index in indices)
    return parse_program(f"""
program wrapping: {{ : }}
  input  x: float64[6, 50]
  output y: float64[6, {extent}]
  Y: {{ Y[i, j] : 0 <= i < 6 and 0 <= j < {extent} }}
      y[i, j] = {reads}
""")


def wrapped(index: str, extent: int = 50) -> str:
    return f"{index} - {extent} * (({index}) // {extent})"


@pytest.mark.parametrize(
    ("program", "pieces"),
    [
        (reading(wrapped("j + 1")), 2),
        (reading(wrapped("j - 1")), 2),
        (reading(wrapped("j - 1"), wrapped("j + 1")), 3),
        (reading(wrapped("j - 2"), wrapped("j - 1"), "j"), 3),
        (reading(wrapped("3 - j")), 2),
        (reading(wrapped("-j - 1"), wrapped("-j")), 2),
        (reading(wrapped("j + 1"), rows="i + 1 - 6 * ((i + 1) // 6)"), 2),
    ],
    ids=["next", "previous", "both", "far", "mirrored", "mirrored twice", "rows stay"],
)
def test_split(program: Program, pieces: int) -> None:
    split = split_wraps(program)
    assert len(split.statements) == pieces
    assert_same(program, split, NONE)
    inside = split.statements[0]
    assert inside.name == "Y" and all(r.access.get_aff(1).dim(isl.dim_type.div) == 0 for r in inside.reads())
    assert split_wraps(split).statements == split.statements


@pytest.mark.parametrize(
    "program",
    [
        reading("j"),
        reading(wrapped("j + 20")),  # no edge: two halves
        reading("j // 2"),  # steps
        reading(wrapped("j + i")),  # along two dimensions
        reading("j", rows="i + 1 - 6 * ((i + 1) // 6)"),  # rows are contiguous wherever they are
        reading(wrapped("j + 1", 8), extent=8),  # too short
    ],
    ids=["plain", "halves", "steps", "slanted", "rows", "short"],
)
def test_not_split(program: Program) -> None:
    split = split_wraps(program)
    assert len(split.statements) == 1
    assert_same(program, split, NONE)


def test_quotients_that_are_one_number_go() -> None:
    """Reads of the inside of a wider array do not turn around; along rows, too."""
    program = reading(wrapped("j", 60), rows="i - 6 * (i // 6)")
    split = split_wraps(program)
    assert "//" in str(program) and "//" not in str(split)
    assert_same(program, split, NONE)


def test_a_periodic_stencil_and_its_adjoint_run_in_vectors() -> None:
    N, T = 64, 5
    x = pa.placeholder((N, N), "x", "float64")

    def cell(u, t, i, j):
        across = u[t - 1, (i - 1) % N, j] + u[t - 1, (i + 1) % N, j]
        around = across + u[t - 1, i, (j - 1) % N] + u[t - 1, i, (j + 1) % N]
        return pa.select(t == 0, x[i, j], u[t - 1, i, j] + 0.1 * around)

    u = pa.recurrence((T + 1, N, N), cell, name="u")
    loss = pa.numpy.sum(u[T] * u[T])
    p = prepare(program_of([loss, *pa.grad(loss, [x])], None, "periodic")[0])
    schedule = default_schedule(p)
    schedule.check(p)
    drawn = schedule.tree()
    adjoint = drawn[drawn.index("for t (reversed)") :]
    assert "simd for j" in drawn[: drawn.index("for t (reversed)")] and "simd for j" in adjoint
