"""Vectors along loops that read or write backwards: sums of `r[n - 1 - j] * h[j]`, copies that turn a row around."""

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

import polyad as pa
from polyad.analysis.strides import goes_one_by_one
from polyad.frontend.compiled import program_of

Made = tuple[list[pa.Tensor], list[pa.Tensor]]


def convolution(n: Any, dtype: str) -> Made:
    """One element of a convolution, of which each sum runs against the other operand."""
    r, h = pa.placeholder((n,), "r", dtype), pa.placeholder((n,), "h", dtype)
    j = pa.reduce_axis(n, name="j")
    return [pa.compute((), lambda: pa.sum(r[n - 1 - j] * h[j], axis=j), name="s")], [r, h]


def reflection(n: Any, dtype: str) -> Made:
    """A step of the Levinson recursion."""
    y, a = pa.placeholder((n,), "y", dtype), pa.placeholder((), "a", dtype)
    return [pa.compute((n,), lambda i: y[i] + a * y[n - 1 - i], name="z")], [y, a]


def maximum(n: Any, dtype: str) -> Made:
    """A reduction of another kind over what is read backwards."""
    r, h = pa.placeholder((n + 1,), "r", dtype), pa.placeholder((n + 1,), "h", dtype)
    j = pa.reduce_axis(n + 1, name="j")
    return [pa.compute((), lambda: pa.max(r[n - j] * h[j], axis=j), name="s")], [r, h]


EXPECTED: dict[Callable[[Any, str], Made], Callable[..., Any]] = {
    convolution: lambda r, h: np.sum(r[::-1].astype(np.float64) * h),
    reflection: lambda y, a: y + a * y[::-1],
    maximum: lambda r, h: np.max(r[::-1] * h),
}


@pytest.mark.parametrize("dtype", ["float32", "float64"])
@pytest.mark.parametrize("make", EXPECTED, ids=lambda f: f.__name__)
def test_numbers(make: Callable[[Any, str], Made], dtype: str) -> None:
    n = pa.sizes("n")
    outputs, inputs = make(n, dtype)
    kernel = pa.compile(outputs, inputs, target="c")
    rng = np.random.default_rng(0)
    for size in (*range(1, 10), 15, 16, 17, 31, 33, 383, 384, 385, 1000):
        arrays = [rng.normal(size=tuple(e.evaluate({"n": size}) for e in x.shape_affine)).astype(dtype) for x in inputs]
        wanted = EXPECTED[make](*arrays)
        tolerance = 1e-5 if dtype == "float32" else 1e-12
        np.testing.assert_allclose(kernel(*arrays), wanted, rtol=tolerance, atol=tolerance * max(size, 1))


@pytest.mark.parametrize(
    ("make", "mark"),
    [
        (convolution, "_REDUCTION(f64, +, s_sum)"),
        (reflection, "PA_SIMD"),
        (maximum, "_REDUCTION(f64, pa_max"),
    ],
)
def test_loops_are_vectors(make: Callable[[Any, str], Made], mark: str) -> None:
    outputs, inputs = make(1000, "float64")
    assert mark in pa.compile(outputs, inputs, target="c").source


def test_what_strides_is_no_vector() -> None:
    x = pa.placeholder((1000, 3), "x", "float64")
    columns = pa.compute((1000,), lambda i: x[999 - i, 1] * 2.0, name="y")
    pairs = pa.compute((500,), lambda i: x[999 - 2 * i, 0], name="z")
    halves = pa.compute((1000,), lambda i: x[i // 2, 0], name="w")
    for made in (columns, pairs, halves):
        program, _ = program_of([made], [x], "p")
        (statement,) = program.statements
        assert not goes_one_by_one(statement, statement.dims[0])
    program, _ = program_of([pa.compute((3,), lambda i: x[5, 2 - i], name="v")], [x], "p")
    assert goes_one_by_one(program.statements[0], program.statements[0].dims[0])
