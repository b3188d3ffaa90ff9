"""Medians and quantiles: one or two elements of a sorted dimension, and what lies between them.

    h = q (N - 1),  i = floor(h):    quantile = x[i] + (h - i) (x[i + 1] - x[i])        x in increasing order

A nan among the elements makes the result nan, as in NumPy: it is the last in order.
"""

from __future__ import annotations

import math
from typing import Any

import numpy as np

from polyad.errors import DefinitionError, ShapeError
from polyad.frontend.argument_checks import choice, flag
from polyad.frontend.operator_functions import isnan
from polyad.frontend.scalar import is_number
from polyad.frontend.tensor import Tensor, user_line
from polyad.numpy.dimensions import TensorLike, axis_numbers, extents, floats
from polyad.numpy.elementwise import where
from polyad.numpy.joining import stack
from polyad.numpy.order.ranks import sorted_last
from polyad.numpy.permutation import expand_dims, moveaxis
from polyad.numpy.reshape import reshape

__all__ = ["median", "percentile", "quantile"]

_METHODS = ("linear", "lower", "higher", "midpoint", "nearest")


def median(x: TensorLike, axis: Any = None, keepdims: bool = False) -> Tensor:
    """The element in the middle of the order, the mean of the two there where their number is even.

    Args:
        x: tensor.
        axis: dimensions, together of a constant number of elements, at most 4096; None takes all.
        keepdims: leave extent 1 in their place.

    Raises:
        ShapeError: no elements, a number of them that is a size or too large, or no such dimension.
    """
    return _at(x, 0.5, axis, keepdims, "linear", "median")


def quantile(x: TensorLike, q: Any, axis: Any = None, *, method: str = "linear", keepdims: bool = False) -> Tensor:
    """The element at the share q of the order, between the least (0) and the largest (1).

    Args:
        x: tensor.
        q: a number from 0 to 1, or a list or array of such, whose dimensions stand in front of the result.
        axis: dimensions, together of a constant number of elements, at most 4096; None takes all.
        method: between two elements: linear, lower, higher, midpoint, nearest (the even position in the middle).
        keepdims: leave extent 1 in place of the dimensions.

    Raises:
        ShapeError: as of `median`.
        DefinitionError: q outside of 0 .. 1 or no constant, or another method.
    """
    return _several(x, q, axis, method, keepdims, 1.0, "quantile")


def percentile(x: TensorLike, q: Any, axis: Any = None, *, method: str = "linear", keepdims: bool = False) -> Tensor:
    """As `quantile`, with q from 0 to 100.

    Raises:
        ShapeError: as of `median`.
        DefinitionError: q outside of 0 .. 100 or no constant, or another method.
    """
    return _several(x, q, axis, method, keepdims, 100.0, "percentile")


def _several(x: TensorLike, q: Any, axis: Any, method: str, keepdims: bool, whole: float, what: str) -> Tensor:
    choice(method, _METHODS, f"{what}: method")
    if isinstance(q, Tensor) or not (is_number(q) or isinstance(q, list | tuple | np.ndarray)):
        raise DefinitionError(f"{user_line()}: {what}: q is a number or an array of numbers that are known here")
    shares = np.asarray(q, np.float64)
    if not ((shares >= 0) & (shares <= whole)).all():
        raise DefinitionError(f"{user_line()}: {what}: q lies between 0 and {whole:g}, not {q!r}")
    if not shares.ndim:
        return _at(x, float(shares) / whole, axis, keepdims, method, what)
    if not shares.size:
        raise ShapeError(f"{user_line()}: {what}: q is empty; give one number at least")
    parts = [_at(x, float(s) / whole, axis, keepdims, method, what) for s in shares.ravel()]
    joined = stack(parts)
    return reshape(joined, (*shares.shape, *extents(joined)[1:])) if shares.ndim > 1 else joined


def _at(x: TensorLike, share: float, axis: Any, keepdims: bool, method: str, what: str) -> Tensor:
    t = floats(x, "x")
    axes = sorted(axis_numbers(axis, t.ndim, what))
    keep = flag(keepdims, f"{what}: keepdims")
    others = [d for d in range(t.ndim) if d not in axes]
    moved = moveaxis(t, tuple(axes), tuple(range(len(others), t.ndim)))
    shape = extents(moved)
    together = reshape(moved, (*shape[: len(others)], -1)) if len(axes) != 1 else moved
    ordered = sorted_last(together, what)
    n = extents(ordered)[-1].affine.constant
    if not n:
        raise ShapeError(f"{user_line()}: {what} of no elements: {t.name} has shape {t.shape}")
    place = share * (n - 1)
    low, high = math.floor(place), math.ceil(place)
    first, second = ordered[..., low], ordered[..., high]
    if method == "linear":
        value = first + (second - first) * (place - low) if low != high else first
    elif method == "midpoint":
        value = first + (second - first) * 0.5 if low != high else first
    else:
        value = {"lower": first, "higher": second, "nearest": ordered[..., round(place)]}[method]
    last = ordered[..., n - 1]
    result: Tensor = where(isnan(last), last, value)
    return expand_dims(result, tuple(axes)) if keep and axes else result
