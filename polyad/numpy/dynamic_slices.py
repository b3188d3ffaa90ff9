"""Slices whose starts are data and whose extents are not: windows that stay inside of the tensor."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from polyad.errors import DTypeError, ShapeError
from polyad.frontend.argument_checks import several
from polyad.frontend.constants import as_tensor
from polyad.frontend.scalar import Applied, IndexExpr, Number, Scalar, Selected, as_index
from polyad.frontend.tensor import Tensor, as_shape, define, user_line
from polyad.numpy.dimensions import TensorLike, extents, shape_text
from polyad.numpy.written import Places, scattered

__all__ = ["dynamic_slice", "dynamic_update_slice"]


def dynamic_slice(x: TensorLike, start_indices: Any, slice_sizes: Sequence[Any]) -> Tensor:
    """A window of a tensor that starts where data say, as `jax.lax.dynamic_slice`.

    Equation: result[i, j, ...] = x[s0 + i, s1 + j, ...] with s = clip(start, 0, extent - size) in each dimension; as
    in JAX a negative start counts from the end, before it is brought inside.

    Args:
        x: tensor.
        start_indices: one integer scalar per dimension: a list of them, or an integer tensor with one dimension.
        slice_sizes: extents of the window, known while tracing.

    Raises:
        ShapeError: another number of starts or sizes than dimensions, or a window larger than the tensor.
        DTypeError: a start is no integer.

    Example:
        >>> pa.jit(lambda x, i: pa.dynamic_slice(x, (i,), (2,)))(np.arange(5.0), 9)
        array([3., 4.])
    """
    t = as_tensor(x, "x")
    sizes = as_shape(tuple(several(slice_sizes, f"{user_line()}: dynamic_slice: slice_sizes")))
    starts = _starts(start_indices, t, sizes, "dynamic_slice")
    return define(sizes, lambda *i: t.element([s + k for s, k in zip(starts, i, strict=True)]), f"{t.name}_window")


def dynamic_update_slice(x: TensorLike, update: TensorLike, start_indices: Any) -> Tensor:
    """The tensor with a window of it written anew, as `jax.lax.dynamic_update_slice`.

    Equation: result[s0 + i, s1 + j, ...] = update[i, j, ...], and x elsewhere; s as in `dynamic_slice`, for a window
    of the shape of the update.

    Args:
        x: tensor.
        update: tensor with as many dimensions, none of them larger than that of x, of the element type of x.
        start_indices: as in `dynamic_slice`.

    Raises:
        ShapeError: another number of dimensions, or an update larger than the tensor.
        DTypeError: a start is no integer, or the update is of another type.

    Example:
        >>> pa.jit(lambda x, i: pa.dynamic_update_slice(x, np.zeros(2), (i,)))(np.ones(4), 1)
        array([1., 0., 0., 1.])
    """
    t, u = as_tensor(x, "x"), as_tensor(update, "update")
    if u.dtype != t.dtype and not u.weak:
        raise DTypeError(
            f"{user_line()}: dynamic_update_slice: the update is {u.dtype}, the tensor {t.dtype}; convert it with "
            "astype"
        )
    sizes = extents(u)
    starts = _starts(start_indices, t, sizes, "dynamic_update_slice")

    def outside(j: Sequence[Any]) -> Scalar:
        inside: Scalar = Number(True)
        for s, k, n in zip(starts, j, sizes, strict=True):
            inside = inside & (s <= k) & (s + n > k)
        return Selected(inside, Number(0), t.element(j))

    places = Places(sizes, lambda i: [s + k for s, k in zip(starts, i, strict=True)])
    return scattered(t, outside, places, u.element, "sum", f"{t.name}_updated")


def _starts(given: Any, t: Tensor, sizes: Sequence[IndexExpr], what: str) -> list[Scalar]:
    """The first index of the window in each dimension, inside of the tensor."""
    if isinstance(given, Tensor) or hasattr(given, "__array__"):
        vector = as_tensor(given, f"{what}: start_indices")
        given = [vector] if not vector.ndim else [vector[n] for n in range(len(vector))]
    starts = several(given, f"{user_line()}: {what}: start_indices")
    if not len(starts) == len(sizes) == t.ndim:
        raise ShapeError(
            f"{user_line()}: {what}: {t.name} has {t.ndim} dimensions, the window {len(sizes)}, and there are "
            f"{len(starts)} "
            "starts; these numbers have to agree"
        )
    for size, extent in zip(sizes, extents(t), strict=True):
        room = extent.affine - size.affine
        if room.is_constant and room.constant < 0:
            raise ShapeError(
                f"{user_line()}: {what}: a window of shape {shape_text(sizes)} does not fit into {t.name} of shape "
                f"{shape_text(extents(t))}"
            )
    return [_start(s, e, n, what) for s, e, n in zip(starts, extents(t), sizes, strict=True)]


def _start(value: Any, extent: IndexExpr, size: IndexExpr, what: str) -> Scalar:
    room = extent - size
    if isinstance(value, IndexExpr) or not isinstance(value, Tensor | Scalar):
        at = as_index(value, f"{user_line()}: {what}: a start")
        if at.affine.is_constant and extent.affine.is_constant and size.affine.is_constant:
            first = at.affine.constant + (extent.affine.constant if at.affine.constant < 0 else 0)
            return as_index(min(max(first, 0), room.affine.constant), "a start")
        value = define((), lambda: at, "start")
    start = as_tensor(value, f"{what}: a start")
    if start.ndim or not start.dtype.startswith("int"):
        raise DTypeError(
            f"{user_line()}: {what}: a start is one integer, {start.name} is {start.dtype} with {start.ndim} dimensions"
        )
    wrapped = define((), lambda: _inside(start, extent, room), "start", "int64")
    return wrapped.element(())


def _inside(start: Tensor, extent: IndexExpr, room: IndexExpr) -> Scalar:
    given = Applied("cast", (start.element(()),), "int64")
    counted = Selected(Applied("lt", (given, Number(0))), Applied("add", (given, extent)), given)
    return Applied("minimum", (Applied("maximum", (counted, Number(0))), room))
