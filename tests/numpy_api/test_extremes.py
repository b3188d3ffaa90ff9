"""Infinities, nan and numbers whose squares overflow, in kernels: values as NumPy's, and the derivatives."""

from typing import Any

import numpy as np
import pytest

import polyad as pa
from polyad import nn
from polyad import numpy as pn
from tests.evaluated import values_of

INF, NAN = np.inf, np.nan
PAIRS = [
    (INF, 0.0),
    (0.0, INF),
    (-INF, -INF),
    (INF, INF),
    (-INF, 1.0),
    (INF, -INF),
    (1e200, 1e200),
    (3e-200, 4e-200),
    (INF, NAN),
    (NAN, 1.0),
    (0.0, 0.0),
    (-3.0, 4.0),
    (5e-324, 0.0),
    (1e308, 1e308),
]
SLOPES = {  # of the first argument
    "hypot": [1, 0, -1, 1, -1, 1, 0.5**0.5, 0.6, 1, NAN, 0, -0.6, 1, 0.5**0.5],  # of two infinities, 1 each
    "logaddexp": [1, 0, 0.5, 0.5, 0, 1, 0.5, 0.5, NAN, NAN, 0.5, 1 / (1 + np.exp(7)), 0.5, 0.5],
}


@pytest.mark.parametrize("name", SLOPES)
def test_hypot_and_logaddexp(name: str) -> None:
    x, y = np.array(PAIRS).T
    function = getattr(pn, name)

    def both(x: Any, y: Any) -> Any:
        value, back = pa.vjp(function, x, y)
        return value, back(pn.ones(x.shape, "float64"))[0]

    value, slope = pa.jit(both)(x, y)
    with np.errstate(all="ignore"):
        np.testing.assert_allclose(value, getattr(np, name)(x, y), rtol=1e-15)
    np.testing.assert_allclose(slope, SLOPES[name], rtol=1e-15)


@pytest.mark.parametrize("dtype", ["float32", "float64"])
def test_logsumexp(dtype: str) -> None:
    rows = [[-INF] * 3, [-INF, 0.0, 0.0], [INF, 0.0, 1.0], [NAN, 0.0, INF], [800.0, 800.0, 1.0]]
    x = np.array(rows, dtype)
    value, slope = pa.jit(lambda x: (nn.logsumexp(x, -1), pa.grad(lambda x: pn.sum(nn.logsumexp(x, -1)))(x)))(x)
    with np.errstate(all="ignore"):
        np.testing.assert_allclose(value, np.logaddexp.reduce(x, -1), rtol=1e-6)
    expected = [[0, 0, 0], [0, 0.5, 0.5], [0, 0, 0], [NAN, NAN, NAN], [0.5, 0.5, 0]]
    np.testing.assert_allclose(slope, expected, rtol=1e-6)


ROWS = np.array(
    [
        [3.0, NAN, INF, -INF],
        [NAN, NAN, 1.0, 2.0],
        [-INF, -INF, -INF, -INF],
        [INF, 1.0, INF, -INF],
        [1.0, 2.0, 3.0, NAN],
        [0.0, -0.0, 0.0, -1.0],
    ]
)


@pytest.mark.parametrize(("kind", "dtype"), [("argmax", "float32"), ("argmin", "float64")])
def test_positions_are_those_of_the_first_nan(kind: str, dtype: str) -> None:
    x = ROWS.astype(dtype)
    whole, inside = getattr(pn, kind), getattr(pa, kind)
    k, n = pa.reduce_axis(4, "k"), pa.reduce_axis(6, "n")

    def positions(x: Any) -> Any:
        rows = pa.compute((6,), lambda i: inside(x[i, k], axis=k))
        flat = pa.compute((), lambda: inside(x[n, k], axis=(n, k)))
        return whole(x, axis=1), whole(x, axis=0), whole(x), rows, flat

    expected = getattr(np, kind)
    results = [expected(x, axis=1), expected(x, axis=0), expected(x), expected(x, axis=1), expected(x)]
    symbolic = pa.placeholder(x.shape, "x", dtype)
    for found in (pa.jit(positions)(x), values_of(list(positions(symbolic)), x=x)):
        for got, wanted in zip(found, results, strict=True):
            np.testing.assert_array_equal(got, wanted)


def test_the_derivative_of_max_goes_to_the_first_nan() -> None:
    for kind in ("max", "min"):
        slope = pa.grad(lambda x, kind=kind: pn.sum(getattr(pn, kind)(x, axis=1)))(ROWS)
        expected = np.zeros_like(ROWS)
        expected[np.arange(6), getattr(np, f"arg{kind}")(ROWS, axis=1)] = 1
        np.testing.assert_array_equal(slope, expected)
    images = ROWS[:5].reshape(1, 1, 5, 4)
    slope = pa.grad(lambda x: pn.sum(nn.max_pool2d(x, (1, 4))))(images)
    np.testing.assert_array_equal(slope.reshape(5, 4).argmax(1), ROWS[:5].argmax(1))
