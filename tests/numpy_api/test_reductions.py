"""Reductions against NumPy, over any dimensions."""

from typing import Any

import numpy as np
import pytest

import polyad as pa
from polyad import numpy as pn
from tests.compiled_derivatives import check_derivatives
from tests.evaluated import values_of

KINDS = "sum prod max min mean var std argmax argmin".split()
AXES: list[Any] = [None, 0, -1, (0, 2), (1, -1), (2, 0)]


@pytest.fixture
def x() -> pa.Tensor:
    T, B = pa.sizes("T B")
    result: pa.Tensor = pa.placeholder((T, B, 2), "x", "float64")
    return result


VALUE = np.random.default_rng(0).normal(size=(3, 2, 2))


@pytest.mark.parametrize("kind", KINDS)
def test_axes_and_keepdims(kind: str, x: pa.Tensor) -> None:
    axes = [a for a in AXES if not (kind.startswith("arg") and isinstance(a, tuple))]
    calls = [(a, k) for a in axes for k in (False, True)]
    results = values_of([getattr(pn, kind)(x, axis=a, keepdims=k) for a, k in calls], x=VALUE)
    for (a, k), result in zip(calls, results, strict=True):
        expected = getattr(np, kind)(VALUE, axis=a, keepdims=k)
        np.testing.assert_allclose(result, expected, rtol=1e-13, err_msg=f"{kind} {a} {k}")
        assert result.shape == expected.shape


def test_methods_and_whole_tensor_reductions_agree(x: pa.Tensor) -> None:
    stds = [x.std(ddof=1), pn.std(x, correction=1)]
    results = values_of([x.sum(0), pa.sum(x, axis=0), pa.max(x), x.max(), *stds, x.mean(-1)], x=VALUE)
    expected = [VALUE.sum(0)] * 2 + [VALUE.max()] * 2 + [VALUE.std(ddof=1)] * 2 + [VALUE.mean(-1)]
    for result, e in zip(results, expected, strict=True):
        np.testing.assert_allclose(result, e)


def test_ties_take_the_first_position() -> None:
    N = pa.sizes("N")
    k = pa.placeholder((N, 3), "k", "int32")
    value = np.array([[1, 5, 5], [5, 0, 0]])
    results = values_of([pn.argmax(k), pn.argmin(k, axis=0), pn.argmax(k, 1, keepdims=True)], k=value)
    np.testing.assert_array_equal(results[0], 1)
    np.testing.assert_array_equal(results[1], [0, 1, 1])
    np.testing.assert_array_equal(results[2], [[1], [0]])
    assert pn.argmax(k).dtype == "int64"


def test_truth_values() -> None:
    k = pa.placeholder((2, 3), "k", "int64")
    value = np.array([[0, 2, 0], [0, 1, 3]])
    outputs = [
        pn.any(k, 0),
        pn.all(k, 0),
        pn.any(k > 5),
        pn.all(k >= 0),
        pn.count_nonzero(k, 1),
        pn.sum(k > 0),
        pn.max(k > 2),
    ]
    expected = [[0, 1, 1], [0, 1, 0], 0, 1, [1, 2], 3, 1]
    for result, e in zip(values_of(outputs, k=value), expected, strict=True):
        np.testing.assert_array_equal(result, e)


def test_types() -> None:
    k = pa.placeholder((3,), "k", "int32")
    assert pn.sum(k).dtype == "int32"
    assert pn.mean(k).dtype == "float64"
    assert pn.mean(pa.placeholder((3,), "x", "float32")).dtype == "float32"
    assert pn.any(k).dtype == "bool"


def test_one_statement_for_a_sum_over_several_dimensions(x: pa.Tensor) -> None:
    (statement,) = pn.sum(x, axis=(0, 1)).definition.statements
    assert statement.reduction == "sum"
    assert statement.dims == ("i", "t", "b")


@pytest.mark.parametrize("kind", "sum prod max mean var std".split())
def test_derivatives(kind: str, x: pa.Tensor) -> None:
    check_derivatives(getattr(pn, kind)(x, axis=(0, -1)), [x], x=VALUE)


@pytest.mark.parametrize(
    ("call", "error", "text"),
    [
        (lambda x: pn.sum(x, axis=3), pa.ShapeError, "axis 3 does not exist, the tensor has 3 dimensions"),
        (lambda x: pn.sum(x, axis=(0, -3)), pa.ShapeError, "twice"),
        (lambda x: pn.mean(x, axis=0.5), pa.DTypeError, "integer"),
        (lambda x: pn.max(pn.zeros((0, 2)), axis=0), pa.ShapeError, "no elements"),
    ],
)
def test_errors(call: Any, error: type[Exception], text: str, x: pa.Tensor) -> None:
    with pytest.raises(error, match=text):
        call(x)
