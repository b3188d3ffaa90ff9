"""Data-dependent reads and running sums."""

from typing import Any

import numpy as np
import pytest

import polyad as pa
from polyad import numpy as pn
from tests.compiled_derivatives import check_derivatives
from tests.evaluated import values_of

T, V = pa.sizes("T V", min=2)
TABLE = np.random.default_rng(0).normal(size=(4, 3))


@pytest.fixture
def x() -> pa.Tensor:
    result: pa.Tensor = pa.placeholder((V, 3), "x", "float64")
    return result


def test_take(x: pa.Tensor) -> None:
    ids = pa.placeholder((2, T), "ids", "int32")
    value = np.array([[0, 3, 3], [1, 0, 2]])
    c = pa.placeholder((2, 3), "c", "float64")
    pairs = [
        (pn.take(x, ids, axis=0), np.take(TABLE, value, axis=0)),
        (pn.take(x, np.array([2, 0]), axis=-1), np.take(TABLE, [2, 0], axis=-1)),
        (pn.take(x, 1, axis=0), np.take(TABLE, 1, axis=0)),
        (pn.take(x, -1, axis=1), np.take(TABLE, -1, axis=1)),
        (pn.take(c, ids), np.take(TABLE[:2], value)),
        (x.take(ids, 0), np.take(TABLE, value, axis=0)),
    ]
    results = values_of([p for p, _ in pairs], x=TABLE, ids=value, c=TABLE[:2])
    for result, (_, expected) in zip(results, pairs, strict=True):
        np.testing.assert_array_equal(result, expected)
    check_derivatives(pn.take(x, ids, axis=0), [x], x=TABLE, ids=value)


@pytest.mark.parametrize("mode", ["clip", "wrap"])
def test_take_with_indices_brought_inside(x: pa.Tensor, mode: str) -> None:
    ids = pa.placeholder((2, T), "ids", "int32")
    value = np.array([[-9, 3, 4], [1, -1, 7]])
    known = [-5, 0, 3, 8]
    tensors = [
        pn.take(x, ids, axis=0, mode=mode),
        pn.take(x, known, axis=1, mode=mode),
        pn.take(x, 17, 0, mode=mode),
        pn.take(x, V, 0, mode=mode),
        pn.take(x, ids, mode=mode),
    ]
    expected = [
        np.take(TABLE, value, axis=0, mode=mode),
        np.take(TABLE, known, axis=1, mode=mode),
        np.take(TABLE, 17, 0, mode=mode),
        np.take(TABLE, 4, 0, mode=mode),
        np.take(TABLE, value, mode=mode),
    ]
    for result, wanted in zip(values_of(tensors, x=TABLE, ids=value), expected, strict=True):
        np.testing.assert_array_equal(result, wanted)
    compiled = pa.jit(lambda x, ids: pn.take(x, ids, axis=0, mode=mode))
    np.testing.assert_array_equal(compiled(TABLE, value), expected[0])
    assert not compiled.kernel.code.checks


def test_take_along_axis(x: pa.Tensor) -> None:
    rows, columns = pa.placeholder((V, 2), "rows", "int64"), pa.placeholder((1, 3), "columns", "int64")
    a, b = np.array([[0, 2], [1, 1], [2, 0], [0, 0]]), np.array([[3, 0, 1]])
    by_row, by_column = values_of(
        [pn.take_along_axis(x, rows, 1), pn.take_along_axis(x, columns, 0)], x=TABLE, rows=a, columns=b
    )
    np.testing.assert_array_equal(by_row, np.take_along_axis(TABLE, a, 1))
    np.testing.assert_array_equal(by_column, np.take_along_axis(TABLE, b, 0))
    check_derivatives(pn.take_along_axis(x, rows, -1), [x], x=TABLE, rows=a)


def test_index_out_of_range_is_named(x: pa.Tensor) -> None:
    ids = pa.placeholder((T,), "ids", "int64")
    with pytest.raises(pa.CallError, match="4"):
        values_of(pn.take(x, ids, axis=0), x=TABLE, ids=[0, 4])


@pytest.mark.parametrize("kind", ["cumsum", "cumprod"])
def test_running(kind: str, x: pa.Tensor) -> None:
    y = pa.placeholder((2, 3), "y", "float64")
    function, expected = getattr(pn, kind), getattr(np, kind)
    results = values_of([function(x, 0), function(x, axis=-1), function(y)], x=TABLE, y=TABLE[:2])
    for result, e in zip(results, [expected(TABLE, 0), expected(TABLE, -1), expected(TABLE[:2])], strict=True):
        np.testing.assert_allclose(result, e)
    check_derivatives(function(x, 0), [x], x=TABLE)


@pytest.mark.parametrize(
    ("call", "error", "text"),
    [
        (lambda x: pn.take(x, np.array([0.5]), 0), pa.DTypeError, "indices must be integers"),
        (lambda x: pn.take(x, 0, 2), pa.ShapeError, "axis 2 does not exist"),
        (lambda x: pn.take_along_axis(x, np.array([0]), 0), pa.ShapeError, "has 2 dimensions, the indices 1"),
        (lambda x: pn.take_along_axis(x, np.zeros((2, 2), int), 0), pa.ShapeError, "do not broadcast"),
        (lambda x: pn.cumsum(x, 5), pa.ShapeError, "5"),
    ],
)
def test_errors(call: Any, error: type[Exception], text: str, x: pa.Tensor) -> None:
    with pytest.raises(error, match=text):
        call(x)
