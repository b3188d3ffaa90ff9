"""Borders run along the diagonals of the interior, whatever they read: formulas, recurrences, faces of a cube."""

from contextlib import nullcontext
from dataclasses import replace

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import polyad as pa
from polyad.codegen.options import CodegenOptions
from polyad.frontend.compiled import program_of
from polyad.ir.program import Program
from polyad.machine import TINY
from polyad.passes import prepare
from polyad.schedule.scheduler import default_schedule
from polyad.schedule.strategies import ALL
from polyad.semantics.evaluate import evaluate
from tests.codegen.compiled import Library, generated
from tests.codegen.threads import threads
from tests.programs import program
from tests.schedule.execution import violations
from tests.schedule.test_scheduler import loops_around
from tests.transforms.equivalence import random_inputs


def log_sum_exp(*terms):
    most = terms[0]
    for t in terms[1:]:
        most = pa.maximum(most, t)
    return most + pa.log(sum(pa.exp(t - most) for t in terms))


WORDINGS = {
    "formulas": lambda d, i, j, cell: pa.select(i == 0, -1.0 * j, pa.select(j == 0, -1.0 * i, cell)),
    "recurrences": lambda d, i, j, cell: pa.select(
        (i == 0) & (j == 0),
        0.0,
        pa.select(i == 0, d[i, j - 1] - 1.0, pa.select(j == 0, d[i - 1, j] - 1.0, cell)),
    ),
    "columns first": lambda d, i, j, cell: pa.select(
        j == 0,
        pa.select(i == 0, 0.0, d[i - 1, j] - 1.0),
        pa.select(i == 0, d[i, j - 1] - 1.0, cell),
    ),
    "one of each": lambda d, i, j, cell: pa.select(i == 0, -1.0 * j, pa.select(j == 0, d[i - 1, j] - 1.0, cell)),
    "the other of each": lambda d, i, j, cell: pa.select(j == 0, -1.0 * i, pa.select(i == 0, d[i, j - 1] - 1.0, cell)),
    "every second": lambda d, i, j, cell: pa.select(
        (i <= 1) & (j == 0),
        -1.0 * i,
        pa.select(
            (i == 0) & (j == 1),
            -1.0,
            pa.select(i == 0, d[i, j - 2] - 2.0, pa.select(j == 0, d[i - 2, j] - 2.0, cell)),
        ),
    ),
}


def needleman_wunsch(wording: str, n: object, gradient: bool) -> Program:
    """log(sum(exp)) of the scores of all alignments of two sequences of n letters."""
    s = pa.placeholder((n, n), "s", "float64")

    def cell(d, i, j):
        return WORDINGS[wording](
            d, i, j, log_sum_exp(d[i - 1, j - 1] + s[i - 1, j - 1], d[i - 1, j] - 1.0, d[i, j - 1] - 1.0)
        )

    d = pa.recurrence((n + 1, n + 1), cell, name="d", dtype="float64")
    score = pa.compute((), lambda: d[n, n], name="score")
    return prepare(program_of([score, *(pa.grad(score, [s]) if gradient else ())], None, "nw")[0])


def inner(p: Program, array: str) -> list[str]:
    """The statements that write an array inside of its border."""
    found = [t for t in p.statements if t.array == array]
    most = max(len([*t.reads()]) for t in found)
    return [t.name for t in found if len([*t.reads()]) == most]


@pytest.mark.parametrize("wording", WORDINGS)
def test_interiors_run_in_vectors_along_diagonals_in_every_wording(wording: str) -> None:
    for size in (12, pa.sizes("N")):
        p = needleman_wunsch(wording, size, gradient=True)
        s = default_schedule(p)
        s.check(p)
        (cell,) = inner(p, "d")
        outer, lanes = loops_around(s.tree(), cell)
        assert "i + j" in outer and lanes.startswith("simd for j")
        for name in inner(p, "d_bar"):
            outer, lanes = loops_around(s.tree(), name)
            assert "-i - j" in outer and lanes.startswith("simd for j")
        # Borders that are recurrences share the loop of the interior; none has a loop of its own over what it needs.
        borders = [t.name for t in p.statements if t.array == "d" and any(r.array == "d" for r in t.reads())]
        assert s.tree().count(loops_around(s.tree(), cell)[0]) == 1
        assert all(len(loops_around(s.tree(), b)) == 1 for b in borders if b != cell)
    small = needleman_wunsch(wording, pa.sizes("N"), gradient=True)
    assert not violations(small, default_schedule(small), {"N": 4})


@pytest.mark.parametrize("wording", WORDINGS)
@pytest.mark.parametrize("team", [1, 2])
@pytest.mark.quick_cases(4)
def test_values_and_gradients_in_every_wording(wording: str, team: int) -> None:
    p = needleman_wunsch(wording, pa.sizes("N"), gradient=True)
    library = Library(generated(p, CodegenOptions(machine=TINY)))
    with threads(library.path, team) if library.threads > 1 else nullcontext():
        for n in (*range(1, 10), 40):
            found = library.run({"N": n}, inputs := random_inputs(p, {"N": n}))
            for name, expected in evaluate(p, inputs, {"N": n}).items():
                if name in found:
                    np.testing.assert_allclose(found[name], expected, rtol=1e-9, atol=1e-11, err_msg=f"{name}, {n}")


def alignment(borders: bool, n: int = 9) -> Program:
    """Three sequences; their faces and edges are recurrences of fewer dimensions."""
    s = pa.placeholder((n, n), "s", "float64")

    def cell(d, i, j, k):
        moves = [(a, b, c) for a in (0, 1) for b in (0, 1) for c in (0, 1) if a + b + c]

        def choose(fixed: tuple[bool, bool, bool]):
            open_moves = [m for m in moves if not any(f and x for f, x in zip(fixed, m, strict=True))]
            terms = [d[i - a, j - b, k - c] + s[i, j] * (a * b) + s[j, k] * (b * c) - 1.0 for a, b, c in open_moves]
            return log_sum_exp(*terms) if terms else 0.0

        if not borders:
            return pa.select((i == 0) | (j == 0) | (k == 0), -1.0 * (i + j + k), choose((False, False, False)))
        value = choose((False, False, False))
        for fixed in ((True, False, False), (False, True, False), (False, False, True)):
            at = {0: i, 1: j, 2: k}[fixed.index(True)] == 0
            value = pa.select(at, choose(fixed), value)
        for fixed in ((True, True, False), (True, False, True), (False, True, True), (True, True, True)):
            conditions = [x == 0 for x, f in zip((i, j, k), fixed, strict=True) if f]
            at = conditions[0]
            for c in conditions[1:]:
                at = at & c
            value = pa.select(at, choose(fixed), value)
        return value

    d = pa.recurrence((n, n, n), cell, name="d", dtype="float64")
    return prepare(program_of([pa.compute((), lambda: d[n - 1, n - 1, n - 1], name="score")], None, "align")[0])


@pytest.mark.parametrize("borders", [False, True])
def test_three_sequences_run_in_vectors_along_diagonals_of_planes(borders: bool) -> None:
    p = alignment(borders)
    s = default_schedule(p)
    s.check(p)
    assert not violations(p, s, {})
    (cell,) = inner(p, "d")
    loops = loops_around(s.tree(), cell)
    assert loops[-1].startswith("simd for k") and any("j + k" in loop for loop in loops) and len(loops) == 3


def gotoh(n: int = 10) -> Program:
    """Smith-Waterman with affine gaps: three tables that read each other, as parts of one array."""
    s = pa.placeholder((n, n), "s", "float64")

    def cell(h, i, j, k):
        match = [h[i - 1, j - 1, q] + s[i - 1, j - 1] for q in range(3)]
        across = log_sum_exp(h[i, j - 1, 1] - 0.5, h[i, j - 1, 0] - 2.0)
        down = log_sum_exp(h[i - 1, j, 2] - 0.5, h[i - 1, j, 0] - 2.0)
        first = pa.select((i == 0) | (j == 0), 0.0, log_sum_exp(*match))
        return pa.select(
            k == 0, first, pa.select(k == 1, pa.select(j == 0, -9.0, across), pa.select(i == 0, -9.0, down))
        )

    h = pa.recurrence((n + 1, n + 1, 3), cell, name="h", dtype="float64")
    score = pa.compute((), lambda: h[n, n, 0], name="score")
    return prepare(program_of([score, *pa.grad(score, [s])], None, "gotoh")[0])


def test_three_tables_share_diagonals() -> None:
    p = gotoh()
    s = default_schedule(p)
    s.check(p)
    assert not violations(p, s, {})
    for name in inner(p, "h"):
        assert any(loop.startswith("simd") for loop in loops_around(s.tree(), name))


# Distances of the interior that leave i + j an order, and of the two borders along themselves.
INTERIOR = st.lists(st.tuples(st.integers(0, 2), st.integers(0, 2)).filter(any), min_size=1, max_size=3, unique=True)
ALONG = st.lists(st.integers(1, 3), min_size=0, max_size=2, unique=True)


@given(INTERIOR, ALONG, ALONG, st.booleans())
def test_random_borders(interior: list[tuple[int, int]], rows: list[int], columns: list[int], mirrored: bool) -> None:
    edge = 3
    i, j = ("N + 2 - i", "N + 2 - j") if mirrored else ("i", "j")

    def at(a: int, b: int) -> str:
        return f"a[{i} {'+' if mirrored else '-'} {a}, {j} {'+' if mirrored else '-'} {b}]"

    top = " + ".join(at(0, q) for q in rows) or "x[j]"
    left = " + ".join(at(p, 0) for p in columns) or "x[i]"
    p = program(f"""
program borders: [N] -> {{ : N >= 1 }}
  input     x: float64[N + {edge}]
  temporary a: float64[N + {edge}, N + {edge}]
  output    b: float64[N + {edge}, N + {edge}]
  Z: [N] -> {{ Z[i, j] : 0 <= i, j < {edge} }}
      a[{i}, {j}] = x[i]
  T: [N] -> {{ T[i, j] : 0 <= i < {edge} <= j < N + {edge} }}
      a[{i}, {j}] = {top}
  L: [N] -> {{ L[i, j] : 0 <= j < {edge} <= i < N + {edge} }}
      a[{i}, {j}] = {left}
  S: [N] -> {{ S[i, j] : {edge} <= i, j < N + {edge} }}
      a[{i}, {j}] = tanh({" + ".join(at(*d) for d in interior)})
  C: [N] -> {{ C[i, j] : 0 <= i, j < N + {edge} }}
      b[i, j] = a[i, j]
""")
    s = default_schedule(p)
    s.check(p)
    assert not violations(p, s, {"N": 4})
    loops = loops_around(s.tree(), "S")
    if {(0, 1), (1, 0)} <= {*interior}:
        assert loops[-1].startswith("simd for")


def test_without_the_strategy_borders_and_interior_run_in_rows() -> None:
    p = needleman_wunsch("recurrences", 12, gradient=False)
    (cell,) = inner(p, "d")
    tree = default_schedule(p, replace(ALL, wavefront=False)).tree()
    outer, innermost = loops_around(tree, cell)
    assert outer.startswith("for i") and innermost == "for j"
