"""Infinities and nan: where they are, and reductions that leave nan out.

What is left out has no derivative: the gradient of `nansum` is 0 at a nan.
"""

from __future__ import annotations

from typing import Any

from polyad.frontend.constants import as_tensor
from polyad.frontend.operator_functions import abs, isnan
from polyad.frontend.tensor import Tensor
from polyad.numpy.dimensions import TensorLike
from polyad.numpy.elementwise import equal, less, logical_not, where
from polyad.numpy.reductions import all, max, mean, min, sum

__all__ = ["isfinite", "isinf", "isneginf", "isposinf", "nan_to_num", "nanmax", "nanmean", "nanmin", "nansum"]

_INF = float("inf")


def isfinite(x: Any) -> Any:
    """Neither infinite nor nan."""
    return less(abs(x), _INF)


def isinf(x: Any) -> Any:
    """Infinite, of either sign."""
    return equal(abs(x), _INF)


def isposinf(x: Any) -> Any:
    """inf."""
    return equal(x, _INF)


def isneginf(x: Any) -> Any:
    """-inf."""
    return equal(x, -_INF)


def nan_to_num(x: TensorLike, copy: bool = True, nan: Any = 0.0, posinf: Any = None, neginf: Any = None) -> Tensor:
    """Numbers in the place of nan and infinities, by default 0 and the largest finite ones; of integers, x.

    Args:
        x: tensor.
        copy: of no effect: values never change.
        nan: what nan becomes.
        posinf: what inf becomes; None is the largest number of the element type.
        neginf: what -inf becomes; None is the least number of the element type.
    """
    t = as_tensor(x, "x")
    if "float" not in t.dtype:
        return t
    largest = 3.4028234663852886e38 if t.dtype == "float32" else 1.7976931348623157e308
    high, low = largest if posinf is None else posinf, -largest if neginf is None else neginf
    result: Tensor = where(isnan(t), nan, where(equal(t, _INF), high, where(equal(t, -_INF), low, t)))
    return result if result.dtype == t.dtype else result.astype(t.dtype)


def _present(x: TensorLike, where: Any) -> tuple[Tensor, Any]:
    """The tensor, and which of its elements count and are no nan."""
    t = as_tensor(x, "x")
    if "float" not in t.dtype:
        return t, where
    there = logical_not(isnan(t))
    return t, there if where is True else there & where


def nansum(
    x: TensorLike,
    axis: Any = None,
    keepdims: bool = False,
    *,
    dtype: Any = None,
    initial: Any = None,
    where: Any = True,
) -> Tensor:
    """The sum of what is not nan."""
    t, there = _present(x, where)
    return sum(t, axis, keepdims, dtype=dtype, initial=initial, where=there)


def nanmean(x: TensorLike, axis: Any = None, keepdims: bool = False, *, dtype: Any = None, where: Any = True) -> Tensor:
    """The mean of what is not nan; nan of nothing."""
    t, there = _present(x, where)
    return mean(t, axis, keepdims, dtype=dtype, where=there)


def nanmax(
    x: TensorLike, axis: Any = None, keepdims: bool = False, *, initial: Any = None, where: Any = True
) -> Tensor:
    """The largest of what is not nan; nan if all are.

    Raises:
        CallError: `where` without `initial`.
        ShapeError: there are no elements, and no `initial`.
    """
    return _extremum(max, -_INF, x, axis, keepdims, initial, where)


def nanmin(
    x: TensorLike, axis: Any = None, keepdims: bool = False, *, initial: Any = None, where: Any = True
) -> Tensor:
    """The smallest of what is not nan; nan if all are.

    Raises:
        CallError: `where` without `initial`.
        ShapeError: there are no elements, and no `initial`.
    """
    return _extremum(min, _INF, x, axis, keepdims, initial, where)


def _extremum(
    optimum: Any, unchanged: float, x: TensorLike, axis: Any, keepdims: bool, initial: Any, chosen: Any
) -> Tensor:
    t, there = _present(x, chosen)
    if initial is not None or chosen is not True or "float" not in t.dtype:
        own: Tensor = optimum(t, axis, keepdims, initial=initial, where=there)
        return own
    best = optimum(where(there, t, unchanged), axis, keepdims)
    result: Tensor = where(all(isnan(t), axis, keepdims), float("nan"), best)
    return result
