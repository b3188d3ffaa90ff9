"""How much work a loop nest is, said in C where the loop begins: by what is known there."""

import numpy as np
import pytest

import polyad as pa
from polyad.codegen.loops.how import Work
from polyad.codegen.loops.loop_values import Choice, Compare
from polyad.codegen.loops.nodes import Block, Instance, Let, Loop
from polyad.codegen.loops.value_ranges import ranges_in
from polyad.codegen.loops.work_estimate import work_estimate
from polyad.ir.affine import Affine
from polyad.machine import MACHINE, Machine
from polyad.ops.program_text import parse_program
from tests.machines import LOOPS_IN_THREADS

PROGRAM = parse_program(
    """
program rows: [N] -> { : N >= 1 }
  input     x: float64[N]
  output    y: float64[N]
  S: [N] -> { S[i] : 0 <= i < N }
      y[i] = x[i] * x[i]
"""
)
STATEMENTS = {s.name: s for s in PROGRAM.statements}
N, START, ONE = Affine.of("N"), Affine.of("start"), Affine.of(1)


def inner() -> Loop:
    """for (i = start; i <= N - 1; ++i), start being 1 here and N / 2 there."""
    return Loop("i", START, N - 1, 1, Block((Instance(0, "S", (Affine.of("i"),)),)))


FIRST = Let("start", Choice(Compare(">=", N, ONE), ONE, N - 7))


def names(work: Work) -> set[str]:
    return {name for _, factors in work.terms for factor in factors for name in factor.names()}


def test_integers_named_inside_are_not_mentioned() -> None:
    outer = Loop("t", Affine.of(0), N - 1, 1, Block((FIRST, inner())))
    assert names(work_estimate([(outer, ())], STATEMENTS, MACHINE, 0.0, {})) == {"N"}


def test_integers_named_between_a_region_and_its_loop_are_not_mentioned() -> None:
    outer = Loop("t", Affine.of(0), N - 1, 1, Block((FIRST, inner())))
    assert names(work_estimate([(inner(), (outer, FIRST))], STATEMENTS, MACHINE, 0.0, {})) == {"N"}
    assert names(work_estimate([(inner(), (outer,))], STATEMENTS, MACHINE, 0.0, {})) == {"N", "start"}


def at(work: Work, values: dict[str, int]) -> float:
    """The number that C compares, somewhere: loops without iterations have negative factors."""
    return sum(cost * np.prod([float(f.evaluate(values)) for f in factors]) for cost, factors in work.terms)


@pytest.mark.parametrize("first", [-3, 0, 7])
@pytest.mark.parametrize("slope", [-2, -1, 0, 1, 3])
@pytest.mark.parametrize("width", [0, 1, 6, 30])
def test_threads_are_asked_for_exactly_where_they_may_start(first: int, slope: int, width: int) -> None:
    """Work that no iteration of the loops around makes enough is never enough, for any number that is called so."""
    i, j = Affine.of("i"), Affine.of("j")
    body = Block((Instance(0, "S", (j,)),))
    # for i = first .. first + width:  parallel for j = i .. 9 + i + slope * i
    loop = Loop("j", i, i + slope * i + 9, 1, body)
    outer = Loop("i", Affine.of(first), Affine.of(first + width), 1, Block((loop,)))
    ranges = ranges_in(outer, {})
    for least in range(0, 800, 7):
        told = work_estimate([(loop, ())], STATEMENTS, MACHINE, float(least), {})
        found = work_estimate([(loop, ())], STATEMENTS, MACHINE, float(least), ranges)
        started = any(at(told, {"i": n}) > least for n in range(first, first + width + 1))
        assert (found.is_enough is not False) == started
        assert found == told or not started


def test_a_solve_of_a_few_columns_starts_no_threads_in_its_steps() -> None:
    """The work of a step never grows to what threads cost: the text does not ask in each of them."""

    def of(size: int, machine: Machine) -> str:
        square, right = pa.placeholder((size, size), "l", "float64"), pa.placeholder((size, 8), "b", "float64")
        solved = pa.linalg.solve_triangular(square, right, lower=True)
        grads = pa.grad((solved * solved).sum(), [square, right])
        return pa.compile([*grads], [square, right], target=pa.Target("openmp", machine=machine)).source

    steps, region = "PA_PARALLEL_FOR_PIECES_IF(i", "PA_PARALLEL_IF("  # threads of a step, and of all steps
    few = of(256, MACHINE)
    assert steps not in few and region not in few
    assert steps in of(256, LOOPS_IN_THREADS) and region in of(9000, MACHINE)
