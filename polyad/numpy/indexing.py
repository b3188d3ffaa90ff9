"""Reads of elements picked by indices.

Indices that are known while tracing, NumPy arrays and lists, count from the end where they are negative, as in NumPy.
Those that come as data, in tensors, are checked when the kernel is called, before anything is computed; negative ones
are out of range.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from polyad.errors import DTypeError, ShapeError
from polyad.frontend.argument_checks import choice
from polyad.frontend.complex_numbers.rules import each_part
from polyad.frontend.constant_index import FromEnd, normal_positions
from polyad.frontend.constants import as_tensor
from polyad.frontend.scalar import Applied, IndexExpr, Number, Scalar, as_index
from polyad.frontend.tensor import Tensor, define
from polyad.ir.element_types import is_integer
from polyad.numpy.dimensions import TensorLike, aligned, axis_number, broadcast_extents, extents
from polyad.numpy.reshape import ravel

__all__ = ["take", "take_along_axis"]

_MODES = ("raise", "clip", "wrap")
"""What `take` makes of an index out of range."""


@each_part("x")
def take(x: TensorLike, indices: Any, axis: int | None = None, *, mode: str = "raise") -> Tensor:
    """Slices along a dimension: result[..., i..., ...] = x[..., indices[i...], ...].

    Args:
        x: tensor.
        indices: integer tensor, array or list, or one index (an integer or an expression of sizes).
        axis: dimension; None takes from the ravelled tensor.
        mode: what an index out of range is: "raise": an error; "clip": the nearest one inside, 0 for negative ones;
            "wrap": the remainder by the extent.

    Raises:
        DefinitionError: another mode.
        DTypeError: the indices are not integers.
        ShapeError: no such dimension.
        BoundsError: an index known while tracing is out of range.
    """
    t = as_tensor(x, "x")
    if axis is None and t.ndim != 1:
        t = ravel(t)
    d = axis_number(0 if axis is None else axis, t.ndim, "take")
    shape = extents(t)
    if choice(mode, _MODES, "take: mode") == "raise":
        indices = _known(indices, t, d)
    elif isinstance(indices, IndexExpr):
        indices = define((), lambda: indices, "index")
    if mode == "raise" and isinstance(indices, int | IndexExpr):
        at = as_index(indices, "an index")
        if at.affine.is_constant and at.affine.constant < 0:
            at = shape[d] + at.affine.constant
        return define([*shape[:d], *shape[d + 1 :]], lambda *i: t.element([*i[:d], at, *i[d:]]), f"{t.name}_taken")
    ids = _indices(indices, "take")
    n = ids.ndim

    def body(*index: IndexExpr) -> Scalar:
        at = _inside(ids.element(index[d : d + n]), mode, shape[d])
        return t.element([*index[:d], at, *index[d + n :]])

    return define([*shape[:d], *extents(ids), *shape[d + 1 :]], body, f"{t.name}_taken")


def _inside(index: Scalar, mode: str, extent: IndexExpr) -> Scalar:
    """An index of 0 .. extent - 1, as the mode makes it one."""
    if mode == "raise":
        return index
    value = Applied("cast", (index,), "int64")
    if mode == "wrap":
        return Applied("mod", (value, extent))
    return Applied("minimum", (Applied("maximum", (value, Number(0))), extent - 1))


@each_part("x")
def take_along_axis(x: TensorLike, indices: TensorLike, axis: int) -> Tensor:
    """One element per index: result[i..., j, k...] = x[i..., indices[i..., j, k...], k...].

    The other dimensions of `x` and `indices` broadcast.

    Raises:
        DTypeError: the indices are not integers.
        ShapeError: different numbers of dimensions, or extents that do not broadcast.
    """
    t = as_tensor(x, "x")
    ids = _indices(_known(indices, t, axis_number(axis, t.ndim, "take_along_axis")), "take_along_axis")
    if t.ndim != ids.ndim:
        raise ShapeError(f"take_along_axis: {t.name} has {t.ndim} dimensions, the indices {ids.ndim}; they must agree")
    d = axis_number(axis, t.ndim, "take_along_axis")
    a, b = list(extents(t)), list(extents(ids))
    others = broadcast_extents("take_along_axis", [[*a[:d], *a[d + 1 :]], [*b[:d], *b[d + 1 :]]])
    shape = [*others[:d], b[d], *others[d:]]

    def body(*index: IndexExpr) -> Scalar:
        position = aligned(a, index)
        position[d] = ids.element([*aligned(b[:d], index[:d]), index[d], *aligned(b[d + 1 :], index[d + 1 :])])
        return t.element(position)

    return define(shape, body, f"{t.name}_taken")


def _known(indices: Any, x: Tensor, d: int) -> Any:
    """Indices that are no tensors as positions in dimension d; a single one as an int."""
    if isinstance(indices, Tensor | IndexExpr) or (isinstance(indices, int) and not isinstance(indices, bool)):
        return indices
    known = as_tensor(indices, "indices") if not isinstance(indices, np.integer) else None
    array = np.asarray(indices) if known is None else known.definition.value
    if array is None or array.dtype.kind not in "iu" or (known is not None and known.dtype == "bool"):
        return indices
    places = normal_positions(array, x, d)
    if isinstance(places, FromEnd):
        shape = [IndexExpr(extent, {}) for extent in places.ids.shape_affine]
        return define(shape, lambda *i: places.position(i), f"{x.name}_positions")
    return places if places.ndim else int(places)


def _indices(value: Any, what: str) -> Tensor:
    ids = as_tensor(value, "indices")
    if not is_integer(ids.dtype):
        raise DTypeError(f"{what}: indices must be integers, {ids.name} is {ids.dtype} (astype converts)")
    return ids
