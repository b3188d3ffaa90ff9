"""Rearranging dimensions and directions: transposes, unit dimensions, flips, rolls, broadcasting."""

from __future__ import annotations

from typing import Any

from polyad.errors import ShapeError
from polyad.frontend.argument_checks import integer
from polyad.frontend.complex_numbers.rules import each_part
from polyad.frontend.constants import as_tensor
from polyad.frontend.scalar import Applied, IndexExpr, Scalar, as_index
from polyad.frontend.tensor import Extent, Tensor, as_shape, define
from polyad.machine import MACHINE
from polyad.numpy.dimensions import (
    TensorLike,
    aligned,
    axis_number,
    axis_numbers,
    broadcast_extents,
    extents,
    is_one,
    one_index,
    shape_text,
)
from polyad.numpy.piecewise import Piece, Pieces, in_pieces, whole
from polyad.numpy.reshape import reshape

__all__ = [
    "atleast_1d",
    "atleast_2d",
    "atleast_3d",
    "broadcast_arrays",
    "broadcast_to",
    "expand_dims",
    "flip",
    "fliplr",
    "flipud",
    "matrix_transpose",
    "moveaxis",
    "permute_dims",
    "roll",
    "rot90",
    "squeeze",
    "swapaxes",
    "transpose",
]


@each_part("x")
def transpose(x: TensorLike, axes: Any = None) -> Tensor:
    """The dimensions in another order, reversed when none is given: result[i...] = x[i at axes...].

    Raises:
        ShapeError: `axes` is not a permutation of the dimensions.
    """
    t = as_tensor(x, "x")
    order = tuple(reversed(range(t.ndim))) if axes is None else axis_numbers(axes, t.ndim, "transpose")
    if len(order) != t.ndim:
        raise ShapeError(f"transpose: {t.name} has {t.ndim} dimensions, axes={axes} names {len(order)}")
    shape = extents(t)
    return define(
        [shape[d] for d in order], lambda *i: t.element([i[order.index(d)] for d in range(t.ndim)]), f"{t.name}_T"
    )


permute_dims = transpose


@each_part("x")
def swapaxes(x: TensorLike, axis1: int, axis2: int) -> Tensor:
    """Two dimensions exchanged.

    Raises:
        ShapeError: no such dimension.
    """
    t = as_tensor(x, "x")
    i, j = axis_number(axis1, t.ndim, "swapaxes"), axis_number(axis2, t.ndim, "swapaxes")
    order = list(range(t.ndim))
    order[i], order[j] = j, i
    return transpose(t, order)


@each_part("x")
def moveaxis(x: TensorLike, source: Any, destination: Any) -> Tensor:
    """Dimensions moved to other places, the rest in their order.

    Raises:
        ShapeError: no such dimension, or not as many destinations as sources.
    """
    t = as_tensor(x, "x")
    moved, places = axis_numbers(source, t.ndim, "moveaxis"), axis_numbers(destination, t.ndim, "moveaxis")
    if len(moved) != len(places):
        raise ShapeError(
            f"moveaxis: {len(moved)} dimensions, {source}, cannot go to {len(places)} places, {destination}"
        )
    order = [d for d in range(t.ndim) if d not in moved]
    for place, d in sorted(zip(places, moved, strict=True)):
        order.insert(place, d)
    return transpose(t, order)


@each_part("x")
def expand_dims(x: TensorLike, axis: Any) -> Tensor:
    """New dimensions of extent 1 at these places of the result.

    Raises:
        ShapeError: no such place.
    """
    t = as_tensor(x, "x")
    places = axis if isinstance(axis, tuple | list) else (axis,)
    new = axis_numbers(places, t.ndim + len(places), "expand_dims")
    shape = list(extents(t))
    for place in sorted(new):
        shape.insert(place, one_index(1))
    return define(shape, lambda *i: t.element([k for n, k in enumerate(i) if n not in new]), f"{t.name}_expanded")


@each_part("x")
def squeeze(x: TensorLike, axis: Any = None) -> Tensor:
    """Without dimensions of extent 1: those given, or all of them.

    Raises:
        ShapeError: a dimension given has another extent.
    """
    t = as_tensor(x, "x")
    shape = extents(t)
    gone = [d for d, e in enumerate(shape) if is_one(e)] if axis is None else axis_numbers(axis, t.ndim, "squeeze")
    for d in gone:
        if not is_one(shape[d]):
            raise ShapeError(f"squeeze: dimension {d} of {t.name} {shape_text(shape)} has extent {shape[d]}, not 1")
    kept = [d for d in range(t.ndim) if d not in gone]

    def body(*index: IndexExpr) -> Scalar:
        at = dict(zip(kept, index, strict=True))
        return t.element([at.get(d, 0) for d in range(t.ndim)])

    return define([shape[d] for d in kept], body, f"{t.name}_squeezed")


@each_part("x")
def broadcast_to(x: TensorLike, shape: Any) -> Tensor:
    """Repeated along new dimensions and dimensions of extent 1.

    Raises:
        ShapeError: it does not broadcast to that shape.
    """
    t, target = as_tensor(x, "x"), as_shape(shape)
    together = broadcast_extents("broadcast_to", [target, extents(t)])
    if len(together) != len(target) or any(a.affine != b.affine for a, b in zip(together, target, strict=True)):
        raise ShapeError(f"broadcast_to: {t.name} {shape_text(extents(t))} does not broadcast to {shape_text(target)}")
    return define(target, lambda *i: t.element(aligned(extents(t), i)), f"{t.name}_broadcast")


def broadcast_arrays(*args: TensorLike) -> list[Tensor]:
    """All of the common shape.

    Raises:
        ShapeError: two extents differ and neither is 1.
    """
    tensors = [as_tensor(x, "a tensor to broadcast") for x in args]
    shape = broadcast_extents("broadcast_arrays", [extents(t) for t in tensors])
    return [broadcast_to(t, shape) for t in tensors]


def matrix_transpose(x: TensorLike) -> Tensor:
    """The last two dimensions exchanged.

    Raises:
        ShapeError: fewer than two dimensions.
    """
    return swapaxes(x, -1, -2)


def rot90(x: TensorLike, k: int = 1, axes: tuple[int, int] = (0, 1)) -> Tensor:
    """Turned k times by a quarter, from the first towards the second of two dimensions.

    Raises:
        ShapeError: not two different dimensions.
    """
    t = as_tensor(x, "x")
    plane = axis_numbers(axes, t.ndim, "rot90")
    if len(plane) != 2:
        raise ShapeError(f"rot90 turns in the plane of two dimensions, axes={axes} names {len(plane)}")
    first, second = plane
    quarter = integer(k, "rot90: k") % 4
    if quarter % 2 == 0:
        return flip(t, plane) if quarter else t
    return swapaxes(flip(t, second), first, second) if quarter == 1 else flip(swapaxes(t, first, second), second)


@each_part("x")
def atleast_1d(x: TensorLike) -> Tensor:
    """A number becomes a vector of one element; other tensors stay."""
    t = as_tensor(x, "x")
    return t if t.ndim else expand_dims(t, 0)


@each_part("x")
def atleast_2d(x: TensorLike) -> Tensor:
    """A number or vector becomes a matrix of one row; other tensors stay."""
    t = as_tensor(x, "x")
    return t if t.ndim > 1 else expand_dims(atleast_1d(t), 0)


def atleast_3d(x: TensorLike) -> Tensor:
    """A vector becomes (1, N, 1), a matrix (M, N, 1); other tensors stay."""
    t = as_tensor(x, "x")
    return t if t.ndim > 2 else expand_dims(t, 2) if t.ndim == 2 else expand_dims(atleast_2d(t), 2)


@each_part("x")
def flip(x: TensorLike, axis: Any = None) -> Tensor:
    """Reversed along some dimensions, or all: result[i] = x[N - 1 - i].

    Raises:
        ShapeError: no such dimension.
    """
    t = as_tensor(x, "x")
    turned = axis_numbers(axis, t.ndim, "flip")
    shape = extents(t)
    return define(
        shape,
        lambda *i: t.element([shape[d] - 1 - k if d in turned else k for d, k in enumerate(i)]),
        f"{t.name}_flipped",
    )


def flipud(x: TensorLike) -> Tensor:
    """Reversed along the first dimension."""
    return flip(x, 0)


def fliplr(x: TensorLike) -> Tensor:
    """Reversed along the second dimension."""
    return flip(x, 1)


@each_part("x")
def roll(x: TensorLike, shift: Any, axis: Any = None) -> Tensor:
    """Moved along dimensions, what leaves at one end enters at the other: result[i] = x[(i - shift) mod N].

    Args:
        x: tensor.
        shift: how far, an integer or an expression of sizes, or one per dimension. Against a symbolic extent N it must
            be provable that |shift| <= N (declare the size with `min=`).
        axis: dimension, or several; None moves the elements of the ravelled tensor.

    Raises:
        ShapeError: no such dimension, or not one shift per dimension.
        BoundsError: |shift| > N for some sizes.
    """
    t = as_tensor(x, "x")
    if axis is None and t.ndim != 1:
        return reshape(roll(reshape(t, -1), shift, 0), extents(t))
    axes = axis_numbers(axis, t.ndim, "roll")
    shifts = list(shift) if isinstance(shift, tuple | list) else [shift] * len(axes)
    if len(shifts) != len(axes):
        raise ShapeError(f"roll: {len(shifts)} shifts for {len(axes)} dimensions")
    by = {d: as_index(s, "shift") for d, s in zip(axes, shifts, strict=True)}
    shape = extents(t)

    def body(*index: IndexExpr) -> Scalar:
        return in_pieces(t, [_rolled(i, by[d], shape[d]) if d in by else whole(i) for d, i in enumerate(index)])

    result: list[Extent] = list(shape)
    return define(result, body, f"{t.name}_rolled")


def _rolled(i: IndexExpr, shift: IndexExpr, extent: IndexExpr) -> Pieces:
    """(i - shift) mod extent: one remainder where loops will be cut at the edge (split_wraps), else two cases."""
    if shift.affine.is_constant and extent.affine.is_constant and extent.affine.constant:
        length = extent.affine.constant
        shift = one_index(shift.affine.constant % length)
        edge, inside = sorted((shift.affine.constant, length - shift.affine.constant))
        if edge <= MACHINE.border and inside >= MACHINE.inside:
            return (Piece(None, ((i + one_index(length) - shift) % length,)),)
    backwards = shift.affine.is_constant and shift.affine.constant < 0
    source = i - shift
    if backwards:
        return (Piece(Applied("lt", (source, extent)), (source,)), Piece(None, (source - extent,)))
    return (Piece(Applied("ge", (source, one_index(0))), (source,)), Piece(None, (source + extent,)))
