"""Subscripts by what NumPy has: integers, arrays, lists and masks, at any place, clipped and counted as NumPy does."""

import itertools
from typing import Any

import numpy as np
import pytest

import polyad as pa
from tests.evaluated import values_of

X = np.arange(24.0).reshape(2, 3, 4)
MASK = np.array([True, False, True])
KEYS: list[Any] = [
    np.array([0, 1, 0]),
    [0, -1],
    (slice(None), [2, 0]),
    (slice(None), slice(None), np.array([[-4, 1], [3, -1]], np.int16)),
    (0, slice(None), [1, 2]),
    (slice(None), 0, [1, 2]),
    ([0, 1], slice(None), [1, 2]),
    (slice(None), [1, 2], [0, 3]),
    ([1], None, slice(None), [3, 0]),
    (None, [1, 0], [2, 2]),
    (..., [0, 0]),
    ([0, 1], ..., [3, 3]),
    ([[0], [1]], [1, 2]),
    (np.array(1), np.int32(-1)),
    (np.array(1, np.uint8), slice(None, None, 2)),
    (slice(None), MASK),
    (slice(None), [True, False, True], 0),
    X > 7,
    (X[:, :, 0] > 3),
    (slice(None), np.arange(12).reshape(3, 4) % 5 == 0),
    (MASK[:2], slice(None), [1]),
    [],
    (slice(None), slice(np.int64(1), np.array(3))),
]


def test_what_numpy_gives() -> None:
    x = pa.placeholder(X.shape, "x", "float64")
    results = [x[key] for key in KEYS]
    full = [(k, r) for k, r in zip(KEYS, results, strict=True) if X[k].size]
    for (key, result), found in zip(full, values_of([r for _, r in full], x=X), strict=True):
        assert result.shape == X[key].shape, key
        np.testing.assert_array_equal(found, X[key], err_msg=str(key))
    assert [r.shape for r in results] == [X[k].shape for k in KEYS]


def test_compiled_with_gradients() -> None:
    keys: list[Any] = [(slice(None), np.array([2, 0, 2])), (slice(None), MASK), X > 7, ([0, -1], ..., [3, 1])]
    value, back = pa.vjp(lambda x: [x[k] for k in keys], X)
    heads = [np.arange(1.0, v.size + 1).reshape(v.shape) for v in value]
    expected = np.zeros_like(X)
    for key, got, head in zip(keys, value, heads, strict=True):
        np.testing.assert_array_equal(got, X[key])
        np.add.at(expected, key, head)
    np.testing.assert_array_equal(back(heads)[0], expected)


@pytest.mark.parametrize("n", [0, 1, 4])
def test_slices_are_clipped(n: int) -> None:
    x = pa.placeholder((n,), "x", "float64")
    values = np.arange(float(n))
    bounds = [None, 0, 1, 3, 100, -1, -2, -100]
    for start, stop, step in itertools.product(bounds, bounds, [None, 1, 2, -1, -3]):
        assert x[start:stop:step].shape == values[start:stop:step].shape, (start, stop, step)
    if n:
        keys = [slice(3, -100, -1), slice(-100, None), slice(None, -100, -2), slice(100, None, -1)]
        for key, found in zip(keys, values_of([x[k] for k in keys], x=values), strict=True):
            np.testing.assert_array_equal(found, values[key])


def test_take_counts_known_indices_from_the_end() -> None:
    x, i = pa.placeholder((3, 2), "x", "float64"), np.array(1)
    values = np.arange(6.0).reshape(3, 2)
    results = [
        pa.numpy.take(x, i, axis=0),
        pa.numpy.take(x, np.int64(-1), axis=1),
        pa.numpy.take(x, [-1, 0], axis=0),
        pa.numpy.take_along_axis(x, np.array([[-1], [0], [-2]]), 1),
    ]
    expected = [values[1], values[:, -1], values[[-1, 0]], np.take_along_axis(values, np.array([[-1], [0], [-2]]), 1)]
    for found, wanted in zip(values_of(results, x=values), expected, strict=True):
        np.testing.assert_array_equal(found, wanted)
    np.testing.assert_array_equal(pa.jit(lambda x: pa.numpy.take(x, i, axis=0) * np.array(2))(values), values[1] * 2)


N = pa.sizes("N", min=3)


@pytest.mark.parametrize(
    ("key", "error", "text"),
    [
        (
            np.array([0, 3]),
            pa.BoundsError,
            r"index\[1\] = 3 is outside of x, which has extent 3 in dimension 0: .*-3 .. 2",
        ),
        (np.array(-4), pa.BoundsError, r"index -4 is outside of x"),
        (np.zeros(1000), pa.DTypeError, r"x is subscripted by an array of float64 of shape \(1000,\)"),
        (np.zeros(4, bool), pa.ShapeError, r"a mask of shape \(4,\) for dimensions 3 of x"),
        (np.array(True), pa.DTypeError, "one truth value"),
        (["a"], pa.DTypeError, "array of <U1"),
        ([[1], [1, 2]], pa.DTypeError, "inhomogeneous"),
        (slice(None, None, 1.5), pa.DTypeError, "step of a slice of x must be an integer, not 1.5"),
        (slice(None, None, 0), pa.ShapeError, "zero"),
        (0.5, pa.DTypeError, "must be an integer"),
        (({}, 0), pa.DTypeError, "must be an integer"),
    ],
)
def test_errors(key: Any, error: type[Exception], text: str) -> None:
    x = pa.placeholder((3, 2), "x", "float64")
    with pytest.raises(error, match=text) as caught:
        x[key]
    assert len(str(caught.value)) < 250


def test_symbolic_extents() -> None:
    x = pa.placeholder((N,), "x", "float64")
    found = values_of([x[[2, 0]], x[np.int64(-1)], x[np.array(-1)]], x=[5.0, 6.0, 7.0])
    assert [f.tolist() for f in found] == [[7.0, 5.0], 7.0, 7.0]
    with pytest.raises(pa.DTypeError, match="holds tensors"):
        x[[x, 0]]


def test_negative_positions_count_from_a_symbolic_end() -> None:
    M, n = pa.sizes("M"), pa.numpy
    x, y = pa.placeholder((M,), "x", "float64"), pa.placeholder((2, M), "y", "float64")
    places, columns = np.array([[0, -1], [-2, 1]]), [-1, 0, -3]
    along = np.array([[-1, 0], [1, -2]])
    loss = n.sum(x[places] * n.asarray([[1.0, 2.0], [4.0, 8.0]]))
    defined = [
        x[places],
        y[:, columns],
        y[1, columns],
        y[[0, -1], None, [-1, -2]],
        n.take(x, places),
        n.take(y, columns, axis=1),
        n.take(y, places),
        n.take_along_axis(y, along, axis=1),
        pa.grad(loss, [x])[0],
    ]
    for extent in (3, 5):
        a = np.arange(1.0, extent + 1)
        b = np.stack([a, 10 * a])
        slopes = np.zeros(extent)
        np.add.at(slopes, places, [[1, 2], [4, 8]])
        expected = [
            a[places],
            b[:, columns],
            b[1, columns],
            b[[0, -1], None, [-1, -2]],
            np.take(a, places),
            np.take(b, columns, axis=1),
            np.take(b, places),
            np.take_along_axis(b, along, axis=1),
            slopes,
        ]
        for found, wanted in zip(values_of(defined, x=a, y=b), expected, strict=True):
            np.testing.assert_array_equal(found, wanted)
    kernel = pa.compile(y[1, columns], [y])
    np.testing.assert_array_equal(kernel(b), b[1, columns])
    with pytest.raises(pa.CallError, match=r"= -3, used as .* = -1 in dimension 1 of y, must lie in 0 \.\. 1"):
        kernel(np.ones((2, 2)))
    with pytest.raises(
        pa.CallError, match=r"constant\[1\] = 9, used as constant\[i\] in dimension 0 of x, must lie in"
    ):
        pa.compile(x[[0, 9]], [x])(np.ones(2))


def test_subscripts_that_are_data() -> None:
    x, i = pa.placeholder((5,), "x", "float64"), pa.placeholder((), "i", "int32")
    with pytest.raises(pa.DTypeError, match=r"type bool; how many .*use where\(condition, x, 0\)"):
        x[x > 0]
    with pytest.raises(pa.DTypeError, match=r"the tensor i, .* as x\[i \+ arange\(n\)\]"):
        x[i : i + 2]
    window = values_of(x[i + pa.numpy.arange(2)], x=np.arange(5.0), i=3)
    assert window.tolist() == [3.0, 4.0]
