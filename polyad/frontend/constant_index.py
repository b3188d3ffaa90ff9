"""Subscripts known while tracing: NumPy's integers, arrays, masks and lists become positions, as NumPy counts them.

In a dimension of constant extent they are checked and counted here. Where the extent is symbolic, negative ones are
counted from it by the kernel, and all are checked at the call.
"""

from __future__ import annotations

import operator
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from polyad.errors import BoundsError, DTypeError, ShapeError
from polyad.frontend.captured import captured
from polyad.frontend.definition import TensorBase
from polyad.frontend.scalar import Element, IndexExpr, Scalar, Selected, described
from polyad.ir.affine import Affine

__all__ = ["FromEnd", "constant_slice", "normal_positions", "plain_subscripts", "slice_step"]


@dataclass(frozen=True, slots=True, eq=False)
class FromEnd:
    """Positions in a dimension of symbolic extent, some of them negative: those count from its end.

    Attributes:
        ids: the positions as given.
        extent: of the dimension.
    """

    ids: TensorBase
    extent: IndexExpr

    def position(self, index: Sequence[Scalar]) -> Scalar:
        """ids[index], or the extent + ids[index] where that is negative."""
        given = Element(self.ids, tuple(index))
        return Selected(given < 0, given + self.extent, given)


def plain_subscripts(tensor: TensorBase, key: Any) -> tuple[Any, ...]:
    """The items of `tensor[key]`, with integers of NumPy as int, and arrays and lists as tensors of positions.

    Raises:
        BoundsError: a position outside of a constant extent.
        ShapeError: a mask of another shape than the dimensions it stands for.
        DTypeError: an array of something else than integers or truth values.
    """
    items = key if isinstance(key, tuple) else (key,)
    if not any(isinstance(k, np.ndarray | np.integer | list) for k in items):
        return items
    given = [_array(k, tensor) if isinstance(k, np.ndarray | np.integer | list) else k for k in items]
    widths = [_width(k) for k in given]
    result: list[Any] = []
    d = 0
    for k, width in zip(given, widths, strict=True):
        if isinstance(k, np.ndarray) and d + width <= tensor.ndim:
            result += _positions(k, tensor, d)
        else:
            result.append(k)
        d += tensor.ndim - sum(widths) if k is Ellipsis else width
    return tuple(result)


def _width(key: Any) -> int:
    """How many dimensions a subscript stands for."""
    if key is None or key is Ellipsis:
        return 0
    return key.ndim if isinstance(key, np.ndarray) and key.dtype == np.bool_ else 1


def _array(key: Any, tensor: TensorBase) -> np.ndarray[Any, Any]:
    if isinstance(key, list) and any(isinstance(k, TensorBase | Scalar) for k in key):
        raise DTypeError(f"a subscript of {tensor.name} is a list that holds tensors; make one tensor of it with stack")
    try:
        array = np.asarray(key)
    except ValueError as problem:
        raise DTypeError(f"a subscript of {tensor.name} is a list that NumPy makes no array of: {problem}") from None
    if array.dtype.kind not in "iub" and array.size:
        raise DTypeError(
            f"{tensor.name} is subscripted by {described(array)}; positions are integers (astype converts), masks bool"
        )
    if array.dtype == np.bool_ and not array.ndim:
        raise DTypeError(
            f"{tensor.name} is subscripted by one truth value; a mask has the shape of what it selects from"
        )
    return array if array.size else array.astype(np.int64)


def _positions(array: np.ndarray[Any, Any], tensor: TensorBase, d: int) -> Sequence[Any]:
    """The subscripts for the dimensions from `d` on."""
    if array.dtype == np.bool_:
        extents = tensor.shape_affine[d : d + array.ndim]
        if extents != tuple(map(Affine.of, array.shape)):
            raise ShapeError(
                f"a mask of shape {array.shape} for dimensions {', '.join(map(str, extents))} of {tensor.name}: they "
                "must agree"
            )
        return [captured(places, "int64") for places in array.nonzero()]
    places = normal_positions(array, tensor, d)
    if isinstance(places, FromEnd):
        return [places]
    return [captured(places, "int64") if places.ndim else int(places)]


def normal_positions(array: np.ndarray[Any, Any], tensor: TensorBase, d: int) -> np.ndarray[Any, Any] | FromEnd:
    """Integers as positions in dimension `d`, negative ones counted from its end.

    Raises:
        BoundsError: one is outside of a constant extent.
    """
    extent = tensor.shape_affine[d]
    if not array.size:
        return array.astype(np.int64)
    if not extent.is_constant:
        if array.min() < 0 and array.ndim:
            return FromEnd(captured(array.astype(np.int64), "int64"), IndexExpr(extent, tensor.size_symbols()))
        return array.astype(np.int64)
    n = extent.constant
    outside = (array < -n) | (array >= n)
    if outside.any():
        raise BoundsError(
            f"{_first(array, outside)} is outside of {tensor.name}, which has extent {n} in dimension {d}: positions "
            f"are {-n} .. {n - 1}"
        )
    places = array.astype(np.int64)
    return np.where(places < 0, places + n, places)


def _first(array: np.ndarray[Any, Any], which: np.ndarray[Any, Any]) -> str:
    """`index[0, 3] = 9`, the first of these elements."""
    at = np.unravel_index(int(np.flatnonzero(which)[0]), array.shape)
    return f"index{[int(i) for i in at] if at else ''} {'= ' if at else ''}{array[at]}"


def constant_slice(key: slice, extent: Affine, name: str) -> tuple[int, int, int] | None:
    """(start, step, count) of a slice, clipped as NumPy clips; None where a bound or the extent is symbolic.

    Raises:
        ShapeError: the step is 0.
        DTypeError: the step is no integer.
    """
    step = slice_step(key, name)
    first, last = _known(key.start), _known(key.stop)
    if not extent.is_constant or first is NotImplemented or last is NotImplemented:
        return None
    start, stop, _ = slice(first, last, step).indices(extent.constant)
    return start, step, len(range(start, stop, step))


def slice_step(key: slice, name: str) -> int:
    """The step of a slice, 1 by default."""
    try:
        step = 1 if key.step is None else operator.index(key.step)
    except TypeError:
        raise DTypeError(f"the step of a slice of {name} must be an integer, not {described(key.step)}") from None
    if step == 0:
        raise ShapeError(f"slice step of {name} is zero")
    return step


def _known(bound: Any) -> Any:
    """A bound as an int or None; NotImplemented for anything else."""
    if bound is None or (isinstance(bound, int | np.integer) and not isinstance(bound, bool)):
        return bound
    if isinstance(bound, np.ndarray) and not bound.ndim and bound.dtype.kind in "iu":
        return int(bound)
    affine = getattr(bound, "affine", None)
    return affine.constant if isinstance(affine, Affine) and affine.is_constant else NotImplemented
