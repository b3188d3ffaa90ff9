"""Whether values are close or equal: truth values that a kernel computes, as all others."""

from __future__ import annotations

from typing import Any

from polyad.frontend.constants import as_tensor
from polyad.frontend.operator_functions import abs, isnan
from polyad.frontend.tensor import Tensor, cast_tensor
from polyad.numpy.creation import full
from polyad.numpy.dimensions import TensorLike
from polyad.numpy.elementwise import equal
from polyad.numpy.reductions import all
from polyad.numpy.values.nonfinite import isfinite

__all__ = ["allclose", "array_equal", "isclose"]


def isclose(a: TensorLike, b: TensorLike, rtol: Any = 1e-5, atol: Any = 1e-8, equal_nan: bool = False) -> Tensor:
    """|a - b| <= atol + rtol |b|, element by element; infinities are close to themselves alone, nan if `equal_nan`."""
    x, y = as_tensor(a, "a"), as_tensor(b, "b")
    near = (abs(x - y) <= atol + rtol * abs(y)) & isfinite(y) if x.dtype != "bool" or y.dtype != "bool" else x == y
    close: Tensor = near | equal(x, y)
    return close | (isnan(x) & isnan(y)) if equal_nan else close


def allclose(a: TensorLike, b: TensorLike, rtol: Any = 1e-5, atol: Any = 1e-8, equal_nan: bool = False) -> Tensor:
    """Whether all elements are close, by `isclose`; a tensor, whose truth is known where a kernel has run."""
    return all(isclose(a, b, rtol, atol, equal_nan))


def array_equal(a: TensorLike, b: TensorLike, equal_nan: bool = False) -> Tensor:
    """Whether shapes and all elements are the same; a tensor, whose truth is known where a kernel has run."""
    x, y = as_tensor(a, "a"), as_tensor(b, "b")
    if x.shape_affine != y.shape_affine:
        no: Tensor = cast_tensor(full((), 0, "int64"), "bool")
        return no
    same: Tensor = equal(x, y)
    return all(same | (isnan(x) & isnan(y)) if equal_nan else same)
