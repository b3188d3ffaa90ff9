"""Sums of float32 are as exact as pairwise ones: 40 shapes, four distributions, all levels of optimisation.

The error of a sum of n numbers is measured in roundings (2^-24) of what errors grow with: the root of the sum of
squares and the sum itself. Added up one by one, a sum of a million numbers is off by hundreds of them.
"""

from collections.abc import Callable
from dataclasses import dataclass
from math import prod
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import polyad as pa
from tests.codegen.threads import threads

ROUNDING = 2.0**-24
DRAWN = (4, 60, 2_000_000)  # arrays of each distribution, the least and the most, and about so many numbers in them
MOST = 2.0  # times the error of NumPy's pairwise sum
LEAST = 0.8  # roundings; the one of the result itself has a root mean square of up to 0.58

SHAPES: list[tuple[tuple[int, ...], int | None]] = [
    *(((n,), None) for n in (1, 2, 7, 16, 17, 40, 64, 100, 255, 257, 400, 777, 1000, 4099, 20_000, 100_003, 1_000_000)),
    *(((64, n), None) for n in (3, 300)),
    *(((n, 7), None) for n in (50, 20_000)),
    *(((n, 300), 1) for n in (1, 5, 64)),
    *(((30, n), 1) for n in (10, 65, 513, 5000)),
    *(((n, 30), 0) for n in (5, 33, 200, 3000, 30_000)),
    *(((n, 64), 0) for n in (100, 2000)),
    *(((n, 400), 0) for n in (40, 1000)),
    ((10, 300, 40), 1),
    ((10, 30, 50, 20), None),
    ((4, 5, 2000), 2),
]

DISTRIBUTIONS: dict[str, Callable[[np.random.Generator, tuple[int, ...]], np.ndarray]] = {
    "normal": lambda rng, shape: rng.normal(size=shape),
    "uniform": lambda rng, shape: rng.random(shape),
    "squares": lambda rng, shape: rng.normal(size=shape) ** 2,
    "mixed": lambda rng, shape: rng.normal(size=shape) * 10.0 ** rng.uniform(-4, 4, shape),
}


@dataclass(frozen=True, slots=True)
class Error:
    """Root mean squares over several arrays, in roundings, of the compiled sum and of NumPy's pairwise one."""

    found: float
    pairwise: float


def measured(run: Callable[[np.ndarray], Any], shape: tuple[int, ...], axis: int | None, kind: str) -> Error:
    squares = np.zeros(2)
    least, most, numbers = DRAWN
    drawn = max(least, min(most, numbers // prod(shape)))
    for seed in range(drawn):
        values = DISTRIBUTIONS[kind](np.random.default_rng(seed), shape).astype(np.float32)
        exact = values.sum(axis=axis, dtype=np.float64)
        scale = np.sqrt((values.astype(np.float64) ** 2).sum(axis=axis)) + np.abs(exact)
        rows = values.reshape(-1) if axis is None else np.ascontiguousarray(np.moveaxis(values, axis, -1))
        for place, found in enumerate((run(values), rows.sum(axis=-1))):
            squares[place] += np.mean(((np.asarray(found, np.float64) - exact) / (scale * ROUNDING)) ** 2)
    return Error(*map(float, np.sqrt(squares / drawn)))


def test_there_are_forty_shapes() -> None:
    assert len(SHAPES) == len({*SHAPES}) == 40


@pytest.mark.parametrize("optimize", [3, *(pytest.param(n, marks=pytest.mark.slow) for n in range(3))])
def test_sums_are_as_exact_as_pairwise_ones(optimize: int) -> None:
    worse = []
    for shape, axis in SHAPES:
        x = pa.placeholder(shape, "x", "float32")
        kernel = pa.compile(pa.numpy.sum(x, axis=axis), [x], target=pa.Target("c", optimize=optimize))
        for kind in DISTRIBUTIONS:
            error = measured(kernel, shape, axis, kind)
            if error.found > max(LEAST, MOST * error.pairwise):
                worse.append(f"{shape} along {axis}, {kind}: {error.found:.2f} and {error.pairwise:.2f} roundings")
    assert not worse, "\n".join(worse)


REDUCTIONS: dict[str, tuple[Callable[..., Any], Callable[..., Any]]] = {
    "mean": (lambda x: pa.numpy.mean(x), lambda x: x.mean()),
    "dot": (lambda x: pa.numpy.sum(x * (1 + x)), lambda x: (x * (1 + x)).sum()),
    "norm": (lambda x: pa.numpy.sqrt(pa.numpy.sum(x * x)), lambda x: np.sqrt((x * x).sum())),
    "logsumexp": (lambda x: pa.nn.logsumexp(x, axis=0), lambda x: np.log(np.exp(x).sum())),
}


@pytest.mark.parametrize("name", REDUCTIONS)
@pytest.mark.parametrize("optimize", range(4))
def test_errors_do_not_grow_with_length(name: str, optimize: int) -> None:
    """Of named sizes, too: a few roundings at any length, those of the terms included."""
    build, exact = REDUCTIONS[name]
    x = pa.placeholder((pa.sizes("N"),), "x", "float32")
    kernel = pa.compile(build(x), [x], target=pa.Target("c", optimize=optimize))
    for n in (10, 1000, 30_000, 1_000_000):
        values = np.random.default_rng(n).random(n).astype(np.float32)
        expected = exact(values.astype(np.float64))
        assert abs(float(kernel(values)) - expected) < 4 * ROUNDING * abs(expected), f"{name} of {n}"


@pytest.mark.parametrize(("shape", "axis"), [((100_003,), None), ((3000, 300), 0), ((300, 3000), 1), ((200, 40), None)])
def test_threads_change_no_bit(shape: tuple[int, ...], axis: int | None) -> None:
    x = pa.placeholder(tuple(pa.sizes(f"n{d}") for d in range(len(shape))), "x", "float32")
    kernel = pa.compile(pa.numpy.sum(x * x, axis=axis), [x], target=pa.Target("openmp"))
    values = DISTRIBUTIONS["mixed"](np.random.default_rng(0), shape).astype(np.float32)
    found = set()
    for number in (1, 2, 3):
        with threads(Path("libgomp.so.1"), number):
            found.add(np.asarray(kernel(values)).tobytes())
    assert len(found) == 1
