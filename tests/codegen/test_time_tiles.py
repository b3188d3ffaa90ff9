"""Tiles in space and time: found for stencils on more than the caches hold, legal, in the memory of plain loops."""

from collections.abc import Callable, Sequence
from dataclasses import replace
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import polyad as pa
from polyad.codegen.generate import generate
from polyad.codegen.options import CodegenOptions
from polyad.codegen.source import Source
from polyad.frontend.compiled import program_of
from polyad.ir.program import Program
from polyad.machine import MACHINE, TINY
from polyad.passes import prepare
from polyad.schedule.schedule import Schedule
from polyad.schedule.scheduler import default_schedule
from polyad.schedule.strategies import ALL
from polyad.semantics.evaluate import evaluate
from tests.codegen.compiled import Library
from tests.codegen.threads import threads
from tests.machines import LOOPS_IN_THREADS

STEPS, ROWS = 9, 23
PLAIN = replace(ALL, time_tiles=False)


SMALL = replace(MACHINE, tile_steps=3, cache=200, outgrown=0)
"""Tiles of few steps and rows, for arrays of any size."""


def prepared(outputs: Sequence[Any]) -> Program:
    return prepare(program_of(list(outputs), None, "stencil")[0])


def rows(update: Callable[..., Any], gradient: bool = True, reach: int = 1, known: int = 1) -> Program:
    """Steps u[t, i] = update(u, c, t, i) on a line whose ends stay; the sum of squares at the end, its gradient."""
    x, c = pa.placeholder((ROWS,), "x", "float64"), pa.placeholder((ROWS,), "c", "float64")

    def cell(u: Any, t: Any, i: Any) -> Any:
        inside = (i >= reach) & (i < ROWS - reach)
        return pa.select(t < known, x[i], pa.select(inside, update(u, c, t, i), u[t - 1, i]))

    u = pa.recurrence((STEPS + 1, ROWS), cell, name="u")
    loss = pa.numpy.sum(u[STEPS] * u[STEPS])
    return prepared([loss, *(pa.grad(loss, [x, c]) if gradient else ())])


def planes(gradient: Sequence[str]) -> Program:
    """Heat in two dimensions."""
    n, m = ROWS, 6
    inputs = {name: pa.placeholder((n, m), name, "float64") for name in ("x", "c")}
    x, c = inputs.values()

    def cell(u: Any, t: Any, i: Any, j: Any) -> Any:
        here = u[t - 1, i, j]
        around = u[t - 1, i - 1, j] + u[t - 1, i + 1, j] + u[t - 1, i, j - 1] + u[t - 1, i, j + 1]
        inside = (i > 0) & (i < n - 1) & (j > 0) & (j < m - 1)
        return pa.select(t == 0, x[i, j], pa.select(inside, here + c[i, j] * (around - 4 * here), here))

    u = pa.recurrence((STEPS + 1, n, m), cell, name="u")
    loss = pa.numpy.sum(u[STEPS] * u[STEPS])
    return prepared([loss, *pa.grad(loss, [inputs[g] for g in gradient])])


def heat(u: Any, c: Any, t: Any, i: Any) -> Any:
    return u[t - 1, i] + c[i] * (u[t - 1, i - 1] + u[t - 1, i + 1] - 2 * u[t - 1, i])


def staggered() -> Program:
    """Pressure and velocity in turn: two arrays, of which one needs the other in the same step."""
    x, c = pa.placeholder((ROWS,), "x", "float64"), pa.placeholder((ROWS,), "c", "float64")

    def cell(v: Any, p: Any, t: Any, i: Any) -> Any:
        moved = v[t - 1, i] + c[i] * (p[t - 1, i] - p[t - 1, i - 1])
        pressed = p[t - 1, i] + c[i] * (v[t, i + 1] - v[t, i])
        velocity = pa.select((t > 0) & (i > 0), moved, 0.0)
        return velocity, pa.select(t == 0, x[i], pa.select(i < ROWS - 1, pressed, p[t - 1, i]))

    shape = (STEPS + 1, ROWS)
    _, p = pa.recurrence((shape, shape), cell, name="s")
    loss = pa.numpy.sum(p[STEPS] * p[STEPS])
    return prepared([loss, *pa.grad(loss, [x, c])])


def waves() -> Program:
    """Two steps back: the wave equation."""
    x, c = pa.placeholder((ROWS,), "x", "float64"), pa.placeholder((ROWS,), "c", "float64")

    def cell(u: Any, t: Any, i: Any) -> Any:
        around = u[t - 1, i - 1] + u[t - 1, i + 1] - 2 * u[t - 1, i]
        inside = (i > 0) & (i < ROWS - 1)
        return pa.select(t < 2, x[i], pa.select(inside, 2 * u[t - 1, i] - u[t - 2, i] + c[i] * around, 0.0))

    u = pa.recurrence((STEPS + 1, ROWS), cell, name="u")
    loss = pa.numpy.sum(u[STEPS] * u[STEPS])
    return prepared([loss, *pa.grad(loss, [x, c])])


PROGRAMS: dict[str, Callable[[], Program]] = {
    "forward": lambda: rows(heat, gradient=False),
    "gradient": lambda: rows(heat),
    "from the left": lambda: rows(lambda u, c, t, i: c[i] * u[t - 1, i - 1] + 0.5 * u[t - 1, i]),
    "from the right": lambda: rows(lambda u, c, t, i: c[i] * u[t - 1, i + 1] + 0.5 * u[t - 1, i]),
    "not linear": lambda: rows(lambda u, c, t, i: pa.tanh(u[t - 1, i - 1] * c[i] + u[t - 1, i + 1])),
    "far": lambda: rows(lambda u, c, t, i: c[i] * u[t - 1, i - 2] + 0.3 * u[t - 1, i + 2], reach=2),
    "staggered": staggered,
    "waves": waves,
    "planes": lambda: planes(["x"]),
    "planes and coefficients": lambda: planes(["x", "c"]),
}


def source(program: Program, strategies: Any = ALL, schedule: Any = None) -> Any:
    options = CodegenOptions(strategies=strategies, machine=LOOPS_IN_THREADS)
    return generate(program, schedule or default_schedule(program, strategies, SMALL), options)


QUICK_OR_SLOW = [pytest.param(n, marks=pytest.mark.slow) if n == "planes and coefficients" else n for n in PROGRAMS]


@pytest.mark.parametrize("name", QUICK_OR_SLOW)
@pytest.mark.quick_cases(1)
def test_tiles(name: str) -> None:
    p = PROGRAMS[name]()
    schedule = default_schedule(p, machine=replace(SMALL, cache=1200) if name.startswith("planes") else SMALL)
    schedule.check(p)
    assert "waves of tiles of" in schedule.tree()
    Schedule.from_yaml(str(schedule)).check(p)
    text = source(p, schedule=schedule)
    assert "for (int64_t wave = " in text.c
    plain = source(p, PLAIN)
    assert text.workspace_bytes({}, 1) == plain.workspace_bytes({}, 1)

    assert_right(p, text)


def assert_right(p: Program, text: Source) -> None:
    """The values are those of the evaluator, with any number of threads the same."""
    rng = np.random.default_rng(1)
    inputs = {n: rng.uniform(0.1, 0.3, [int(e.constant) for e in p.arrays[n].shape]) for n in p.inputs}
    expected = evaluate(p, inputs, {})
    library = Library(text)
    results = []
    for number in (1, 2, 8):
        with threads(library.path, number):
            results.append(library.run({}, inputs))
    for output in p.outputs:
        np.testing.assert_allclose(results[0][output], expected[output], rtol=1e-12, atol=1e-14)
        for other in results[1:]:
            np.testing.assert_array_equal(results[0][output], other[output])


OFFSETS = st.lists(st.integers(-3, 3), min_size=1, max_size=3)


@settings(max_examples=5)
@given(OFFSETS, OFFSETS, st.booleans())
@pytest.mark.slow
def test_random_stencils(near: list[int], far: list[int], gradient: bool) -> None:
    check_random_stencil(near, far, gradient)


@pytest.mark.slow
@settings(max_examples=40)
@given(OFFSETS, OFFSETS, st.booleans())
def test_many_random_stencils(near: list[int], far: list[int], gradient: bool) -> None:
    check_random_stencil(near, far, gradient)


def check_random_stencil(near: list[int], far: list[int], gradient: bool) -> None:
    def update(u: Any, c: Any, t: Any, i: Any) -> Any:
        first = sum(u[t - 1, i + o] for o in near)
        second = sum(u[t - 2, i + o] for o in far)
        return 0.3 * c[i] * first + 0.1 * second

    p = rows(update, gradient, reach=3, known=2)
    schedule = default_schedule(p, machine=SMALL)
    schedule.check(p)
    assert_right(p, source(p, schedule=schedule))


def test_not_where_the_caches_hold_a_step() -> None:
    assert "tiles" not in default_schedule(rows(heat), machine=replace(SMALL, outgrown=1 << 20)).tree()


def test_not_for_few_steps() -> None:
    assert "tiles" not in default_schedule(rows(heat), machine=replace(SMALL, tile_steps=STEPS)).tree()


def test_the_switch() -> None:
    assert "tiles" not in default_schedule(rows(heat), PLAIN, SMALL).tree()


def test_not_where_every_element_needs_every_other() -> None:
    x, w = pa.placeholder((ROWS,), "x", "float64"), pa.placeholder((ROWS, ROWS), "w", "float64")
    h = pa.scan(lambda h, _: (pa.tanh(w @ h),) * 2, x, length=STEPS)[0]
    assert "waves" not in default_schedule(prepared([h]), machine=SMALL).tree()


@pytest.mark.parametrize("back", [1, 2, 3])
def test_not_where_steps_need_old_ones(back: int) -> None:
    """A step of a stencil reaches some steps back; one that adds up all steps before it is none."""
    p = rows(lambda u, c, t, i: 0.3 * (u[t - 1, i - 1] + u[t - back, i]), gradient=False, known=back)
    near = replace(SMALL, tile_steps=2, border=2)
    assert ("waves of tiles" in default_schedule(p, machine=near).tree()) == (back <= near.border)
    square = pa.placeholder((ROWS, ROWS), "s", "float64")
    lower = prepared([pa.linalg.cholesky(square)])
    assert "waves of tiles" not in default_schedule(lower, machine=near).tree()
    assert_right(p, source(p, schedule=default_schedule(p, machine=near)))


def test_sums_of_a_step_stay_right() -> None:
    """A sum over a step is added to by tiles of several waves, never by two of one."""
    x, c = pa.placeholder((ROWS,), "x", "float64"), pa.placeholder((ROWS,), "c", "float64")
    u = pa.recurrence(
        (STEPS + 1, ROWS),
        lambda u, t, i: pa.select(t == 0, x[i], pa.select((i > 0) & (i < ROWS - 1), heat(u, c, t, i), u[t - 1, i])),
        name="u",
    )
    p = prepared([pa.numpy.sum(u * u, axis=1)])
    assert_right(p, source(p))


def padded_steps() -> Program:
    """Four checkpointed steps of a stencil inside of zeros, and the gradient: sums of several terms, each an array."""
    m = pa.numpy
    x = pa.placeholder((6, 3, 4), "x", "float64")

    def step(u: Any, _: Any) -> Any:
        inside = 0.1 * u[1:-1, 2:, 1:-1] + 0.25 * u[1:-1, 1:-1, 2:] + 0.1 * u[2:, 1:-1, 1:-1] + 0.2 * u[:-2, 1:-1, 1:-1]
        return m.pad(inside, 1), None

    last, _ = pa.scan(step, x, None, length=4, checkpoint=pa.checkpoint.every(5))
    loss = m.sum(last**2)
    return program_of([loss, *pa.grad(loss, [x])], None, "padded")[0]


@pytest.mark.slow
def test_what_waits_for_the_next_tile_keeps_its_slot() -> None:
    """A tile of several steps computes others' numbers meanwhile: steps and rows together need more than one slot."""
    p = prepare(padded_steps(), machine=TINY)
    schedule = default_schedule(p, machine=TINY)
    assert "waves of tiles" in schedule.tree()
    assert_right(p, generate(p, schedule, CodegenOptions(machine=TINY)))
