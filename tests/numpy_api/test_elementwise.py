"""Element-wise functions against NumPy."""

from typing import Any

import numpy as np
import pytest

import polyad as pa
from polyad import numpy as pn
from tests.evaluated import values_of

UNARY = {
    "exp log log1p expm1 sqrt cbrt sin cos tan sinh cosh tanh arcsin arccos arctan sign floor ceil trunc rint": (
        0.1,
        0.9,
    ),
    "negative positive absolute abs fabs exp2 log2 log10 square reciprocal isnan": (0.1, 2.0),
}
BINARY = (
    "add subtract multiply divide true_divide floor_divide mod remainder power pow maximum minimum arctan2 hypot "
    "logaddexp equal not_equal less less_equal greater greater_equal logical_and logical_or logical_xor"
).split()


def test_unary_functions() -> None:
    rng = np.random.default_rng(0)
    x = pa.placeholder((5,), "x", "float64")
    for names, (lo, hi) in UNARY.items():
        value = rng.uniform(lo, hi, 5)
        results = values_of([getattr(pn, n)(x) for n in names.split()], x=value)
        for n, result in zip(names.split(), results, strict=True):
            np.testing.assert_allclose(result, getattr(np, n)(value), rtol=1e-14, err_msg=n)


def test_binary_functions_broadcast() -> None:
    N = pa.sizes("N")
    x, y = pa.placeholder((N, 3), "x", "float64"), pa.placeholder((3,), "y", "float64")
    a, b = np.array([[1.0, 2.0, 0.0], [3.0, 0.5, 4.0]]), np.array([1.0, 3.0, 2.0])
    results = values_of([getattr(pn, n)(x, y) for n in BINARY], x=a, y=b)
    for n, result in zip(BINARY, results, strict=True):
        np.testing.assert_allclose(result, getattr(np, n)(a, b), rtol=1e-14, err_msg=n)


def test_numbers_and_arrays_are_operands() -> None:
    x = pa.placeholder((2,), "x", "float32")
    assert pn.maximum(x, 0).dtype == "float32"
    assert pn.add(np.float64(1.0), 2) == 3.0
    captured = values_of(pn.multiply(x, np.array([2.0, 3.0], np.float32)), x=[1.0, 1.0])
    np.testing.assert_array_equal(captured, [2.0, 3.0])


def test_where_clip_round() -> None:
    x = pa.placeholder((4,), "x", "float64")
    k = pa.placeholder((4,), "k", "int32")
    value, ints = np.array([-2.0, -0.5, 0.26, 3.0]), np.array([0, 1, 0, 2])
    outputs = [
        pn.where(x > 0, x, -1.0),
        pn.where(k, 1, x),
        pn.clip(x, -1, 1),
        pn.clip(x, min=0),
        x.clip(max=0),
        pn.round(x, 1),
        pn.where(x == 3, 1, 0),
        pn.logical_not(k),
    ]
    expected = [
        np.where(value > 0, value, -1.0),
        np.where(ints, 1, value),
        np.clip(value, -1, 1),
        np.clip(value, 0, None),
        np.clip(value, None, 0),
        np.round(value, 1),
        value == 3,
        ints == 0,
    ]
    for result, e in zip(values_of(outputs, x=value, k=ints), expected, strict=True):
        np.testing.assert_allclose(result, e)
    with pytest.raises(pa.ShapeError, match="clip needs"):
        pn.clip(x)


def test_functions_of_single_elements() -> None:
    x = pa.placeholder((3,), "x", "float64")
    y = pa.compute((3,), lambda i: pn.where(x[i] > 0, pn.square(x[i]), pn.exp(x[i])))
    value = np.array([-1.0, 0.0, 2.0])
    np.testing.assert_allclose(values_of(y, x=value), np.where(value > 0, value**2, np.exp(value)))


@pytest.mark.parametrize(
    ("call", "error", "text"),
    [
        (lambda x: pn.add(x, pa.placeholder((4,), "y")), pa.ShapeError, "do not broadcast"),
        (lambda x: pn.exp(x, x), pa.DTypeError, "1 argument"),
        (lambda x: pn.exp("x"), pa.DTypeError, "str"),
        (lambda x: bool(x == 1), pa.DefinitionError, "pa.select"),
    ],
)
def test_errors(call: Any, error: type[Exception], text: str) -> None:
    with pytest.raises(error, match=text):
        call(pa.placeholder((3,), "x"))
