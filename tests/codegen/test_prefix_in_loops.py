"""Prefix scans inside of other loops, whose arrays are stored in turn along those: all states that are read are there.

Everything runs in a workspace of NaN, then of large numbers, on one thread and on two, against the evaluator.
"""

import re
from collections.abc import Callable
from dataclasses import dataclass, replace
from functools import partial

import numpy as np
import pytest

import polyad as pa
from polyad.frontend.compiled import program_of
from polyad.ir.program import Program
from polyad.machine import MACHINE
from polyad.semantics.evaluate import evaluate
from tests.acceptance.native_batch import NativeBatch

Loss = tuple[pa.Tensor, list[pa.Tensor]]  # the loss, and the inputs


def of(name: str, *shape: object) -> pa.Tensor:
    return pa.placeholder(shape, name, "float64")


def nested(rows: object, steps: object) -> Loss:
    """A linear scan and one that reads its states backwards, in each step of another."""
    c, x = of("c"), of("x", rows, steps)

    def outer(carry, row):
        h, states = pa.scan(lambda h, v: (c * h + v, h), carry, row)
        g, _ = pa.scan(lambda g, u: (0.9 * pa.tanh(g + u), None), carry, states, reverse=True)
        return pa.tanh(g + h), None

    return pa.scan(outer, c * 0.0, x)[0], [c, x]


def counter(length: int, segment: int) -> Loss:
    """A checkpointed scan with the number of its step in the carry."""
    c = of("c")

    def step(carry, _):
        h, t = carry
        return (c * h + t, t + 1.0), None

    return pa.scan(step, (c * 0.0, c * 0.0), None, length=length, checkpoint=pa.checkpoint.every(segment))[0][0], [c]


def losses(length: int, segment: int) -> Loss:
    """A checkpointed scan with a loss on every step."""
    c, x = of("c"), of("x", length)
    last, states = pa.scan(lambda h, v: (c * h + pa.sin(v), h * h), c, x, checkpoint=pa.checkpoint.every(segment))
    return last + pa.numpy.sum(states), [c, x]


def rows(steps: object) -> Loss:
    """A recurrence in two dimensions: along a row, and from the row before, turned around."""
    u0 = of("u0", steps)

    def body(u, t, x):
        inside = 0.5 * u[t, x - 1] + 0.3 * u[t - 1, steps - 1 - x]
        return pa.select(t == 0, u0[x], pa.select(x == 0, u[t - 1, steps - 1], inside))

    u = pa.recurrence((3, steps), body, dtype="float64")
    return pa.compute((), lambda: u[2, steps - 1]), [u0]


def inner_checkpoints(length: int) -> Loss:
    """A linear scan in segments inside of another scan."""
    c, x = of("c"), of("x", 3, length)

    def outer(carry, row):
        h, states = pa.scan(lambda h, v: (c * h + v, h * v), carry, row, checkpoint=pa.checkpoint.every(4))
        return pa.tanh(h) + 0.01 * pa.numpy.sum(states), None

    return pa.scan(outer, c, x)[0], [c, x]


def two_rows(steps: int) -> Loss:
    """Two recurrences one after the other in each step."""
    x = of("x", 3, steps)

    def outer(carry, row):
        first = pa.recurrence((steps,), lambda h, i: pa.select(i == 0, carry, 0.5 * h[i - 1]) + row[i], dtype="float64")
        second = pa.recurrence(
            (steps,), lambda g, i: pa.select(i == 0, carry, 0.25 * g[i - 1]) + first[steps - 1 - i], dtype="float64"
        )
        return pa.tanh(second[steps - 1]), None

    return pa.scan(outer, x[0, 0], x)[0], [x]


def batched(count: object, steps: object) -> Loss:
    """A linear scan for each element of a batch, read backwards by another."""
    a, x = of("a", steps), of("x", count, steps)
    h = pa.recurrence(
        (count, steps), lambda h, b, t: pa.select(t == 0, 0.0, a[t] * h[b, t - 1]) + x[b, t], dtype="float64"
    )
    g = pa.recurrence(
        (count, steps),
        lambda g, b, t: pa.select(t == 0, 0.0, pa.tanh(g[b, t - 1])) + h[b, steps - 1 - t],
        dtype="float64",
    )
    return pa.numpy.sum(g * g), [a, x]


Make = Callable[[], Loss]

VALUES: dict[str, tuple[Make, dict[str, int]]] = {
    "nested 2 65": (lambda: nested(2, 65), {}),
    "two rows 127": (lambda: two_rows(127), {}),
    "batched 3 80": (lambda: batched(3, 80), {}),
    "batched B N": (lambda: batched(*pa.sizes("B N")), {"B": 3, "N": 5}),
}
COUNTERS = {6: [4], 7: [4, 5], 9: [5, 6, 7], 12: [5, 7, 8, 9, 10]}  # length: segments
GRADIENTS: dict[str, tuple[Make, dict[str, int]]] = {
    "nested 3 3": (lambda: nested(3, 3), {}),
    "nested M N": (lambda: nested(*pa.sizes("M N")), {"M": 3, "N": 5}),
    **{
        f"counter {length} {segment}": (partial(counter, length, segment), {})
        for length, segments in COUNTERS.items()
        for segment in segments
    },
    "losses 6 4": (lambda: losses(6, 4), {}),
    "losses 13 5": (lambda: losses(13, 5), {}),
    "losses 101 30": (lambda: losses(101, 30), {}),
    "rows 80": (lambda: rows(80), {}),
    "inner checkpoints 7": (lambda: inner_checkpoints(7), {}),
    "inner checkpoints 10": (lambda: inner_checkpoints(10), {}),
}


@dataclass(frozen=True, slots=True)
class Kernels:
    """Programs compiled together: title -> program, its number in the batch, sizes."""

    batch: NativeBatch
    programs: dict[str, tuple[Program, int, dict[str, int]]]


@pytest.fixture(scope="module")
def kernels(request: pytest.FixtureRequest) -> Kernels:
    """Those of the tests that run."""
    wanted = {i.callspec.params.get("title") for i in request.session.items if hasattr(i, "callspec")}
    batch, found = NativeBatch(machine=replace(MACHINE, long=2)), {}

    def add(title: str, outputs: list[pa.Tensor], inputs: list[pa.Tensor], sizes: dict[str, int]) -> None:
        program, _ = program_of(outputs, inputs, "scan")
        (number,) = batch.add(program, (True,))
        assert re.search(r"= pa_scan_\w+\(", batch.sources[number].c), f"{title} is no prefix scan"
        found[f"{title}"] = program, number, sizes

    for title, (make, sizes) in VALUES.items():
        if f"value {title}" in wanted:
            loss, inputs = make()
            add(f"value {title}", [loss], inputs, sizes)
    for title, (make, sizes) in GRADIENTS.items():
        if f"gradient {title}" in wanted:
            loss, inputs = make()
            add(f"gradient {title}", pa.grad(loss, inputs), inputs, sizes)
    batch.build()
    return Kernels(batch, found)


@pytest.mark.parametrize("title", [*(f"value {t}" for t in VALUES), *(f"gradient {t}" for t in GRADIENTS)])
@pytest.mark.quick_cases(2)
def test_all_states_that_are_read_are_there(kernels: Kernels, title: str) -> None:
    program, number, sizes = kernels.programs[title]
    rng = np.random.default_rng(0)
    inputs = {}
    for name in program.inputs:
        shape = tuple(e.evaluate(sizes) for e in program.arrays[name].shape)
        inputs[name] = 0.5 * rng.normal(size=shape)
    expected = evaluate(program, inputs, sizes)
    for threads in (1, 2):
        for name, values in kernels.batch.run(number, inputs, sizes, threads).items():
            np.testing.assert_allclose(values, expected[name], rtol=1e-11, atol=1e-12, err_msg=f"{name}: {title}")
