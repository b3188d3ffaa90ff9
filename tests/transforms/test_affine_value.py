"""Constants in conditions: affine where isl and C hold them, compared at run time where they do not."""

import numpy as np
import pytest

import polyad as pa
from tests.evaluated import values_of

X = np.arange(1.0, 6.0)


@pytest.mark.parametrize(("zero", "dtype"), [(-1e18, "float64"), (-1e19, "float64"), (-1e30, "float32")])
def test_logarithms_of_zero(zero: float, dtype: str) -> None:
    """The step of CTC: the larger of two states behind, where there are any; value and derivative."""
    x = pa.placeholder((5,), "x", dtype)
    y = pa.compute(
        (5,),
        lambda i: pa.maximum(pa.select(i >= 1, x[i - 1], zero), pa.select(i >= 2, x[i - 2], zero)),
    )
    slope = pa.differentiate(y, [x], head=pa.numpy.ones((5,), dtype=dtype))[x]
    for value, gradient in (values_of([y, slope], x=X.astype(dtype)), pa.compile([y, slope], [x])(X.astype(dtype))):
        np.testing.assert_array_equal(value.astype(dtype), np.array([zero, 1, 2, 3, 4]).astype(dtype))
        np.testing.assert_array_equal(gradient, [1, 1, 1, 1, 0])


@pytest.mark.parametrize("bound", [1e18, 1e19, 1e30, 2.0**62, 2.0**63, 2.0**64])
def test_conditions_with_large_numbers(bound: float) -> None:
    x = pa.placeholder((5,), "x", "float64")
    outputs = [
        pa.compute((5,), lambda i: pa.select(i < bound, x[i], 0.0)),
        pa.compute((5,), lambda i: pa.select(i - 2 > -bound, x[i], 0.0)),
        pa.compute((5,), lambda i: pa.select(i * bound <= 0.0, x[i], 0.0)),
        pa.compute((5,), lambda i: pa.select(i == bound, 0.0, x[i])),
    ]
    for found in (values_of(outputs, x=X), pa.compile(outputs, [x])(X)):
        for result, expected in zip(found, [X, X, [1, 0, 0, 0, 0], X], strict=True):
            np.testing.assert_array_equal(result, expected)


def test_indices_outside_of_int64_are_refused() -> None:
    x = pa.placeholder((5,), "x", "float64")
    for index in (lambda i: i * 2**70, lambda i: i + 2**64, lambda i: (i + 1) // 2**65):
        with pytest.raises(pa.DefinitionError, match="outside of the range of int64"):
            pa.compute((5,), lambda i, index=index: x[index(i)])
    for call in (lambda: x[2**70], lambda: pa.placeholder((2**70,), "y") * 2.0):
        with pytest.raises((pa.DefinitionError, pa.BoundsError)):
            call()
