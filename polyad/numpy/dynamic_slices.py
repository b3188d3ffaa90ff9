"""Slices whose starts are data and whose extents are not: windows that stay inside of the tensor."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any

from polyad.errors import BoundsError, DTypeError, ShapeError
from polyad.frontend.argument_checks import several
from polyad.frontend.complex_numbers.rules import each_part
from polyad.frontend.constants import as_tensor
from polyad.frontend.scalar import Applied, IndexExpr, Number, Scalar, Selected, as_index
from polyad.frontend.tensor import Tensor, as_shape, define, user_line
from polyad.ir.element_types import is_integer
from polyad.numpy.dimensions import TensorLike, extents, shape_text
from polyad.numpy.written import Places, scattered, written

__all__ = ["dynamic_slice", "dynamic_update_slice"]


@each_part("x")
def dynamic_slice(x: TensorLike, start_indices: Any, slice_sizes: Sequence[Any]) -> Tensor:
    """A window of a tensor that starts where data say, as `jax.lax.dynamic_slice`.

    Equation: result[i, j, ...] = x[s0 + i, s1 + j, ...] with s = clip(start, 0, extent - size) in each dimension; as
    in JAX a negative start counts from the end, before it is brought inside.

    Starts that are numbers, or affine in the counters of loops and proved to be inside, make affine reads.

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

    def window(first: Sequence[Scalar]) -> Tensor:
        return define(sizes, lambda *i: t.element([s + k for s, k in zip(first, i, strict=True)]), f"{t.name}_window")

    proved = _inside_if_proved(window, starts)
    return window([_clamped(s) for s in starts]) if proved is None else proved


@each_part("x", "update")
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
    given = _starts(start_indices, t, sizes, "dynamic_update_slice")

    def placed(first: Sequence[Scalar]) -> Tensor:
        places = Places(sizes, lambda i: [s + k for s, k in zip(first, i, strict=True)])
        return written(t, places, u.element, t.dtype, f"{t.name}_updated")

    proved = _inside_if_proved(placed, given)
    if proved is not None:
        return proved
    starts = [_clamped(s) for s in given]

    def outside(j: Sequence[Any]) -> Scalar:
        inside: Scalar = Number(True)
        for s, k, n in zip(starts, j, sizes, strict=True):
            inside = inside & (s <= k) & (s + n > k)
        return Selected(inside, Number(0), t.element(j))

    places = Places(sizes, lambda i: [s + k for s, k in zip(starts, i, strict=True)])
    return scattered(t, outside, places, u.element, "sum", f"{t.name}_updated")


@dataclass(frozen=True, slots=True)
class _Start:
    """The first index of a window in one dimension.

    Attributes:
        given: an index that is known while tracing and inside, or an integer tensor without dimensions.
        extent: of the dimension.
        room: the last index that a window can start at.
    """

    given: IndexExpr | Tensor
    extent: IndexExpr
    room: IndexExpr


def _inside_if_proved(made: Callable[[Sequence[Scalar]], Tensor], starts: Sequence[_Start]) -> Tensor | None:
    """The tensor for starts that are affine in the counters of loops, if all of them are inside; else None."""
    found: list[Scalar] = []
    for s in starts:
        if isinstance(s.given, Tensor) and s.given.definition.exact is None:
            return None
        found.append(s.given.element(()) if isinstance(s.given, Tensor) else s.given)
    try:
        return made(found)
    except BoundsError:
        return None


def _clamped(start: _Start) -> Scalar:
    """The start, counted from the end where it is negative, and then brought inside."""
    given = start.given
    if not isinstance(given, Tensor):
        return given
    wrapped = define((), lambda: _brought_inside(given, start.extent, start.room), "start", "int64")
    return wrapped.element(())


def _starts(given: Any, t: Tensor, sizes: Sequence[IndexExpr], what: str) -> list[_Start]:
    """The first index of the window in each dimension."""
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


def _start(value: Any, extent: IndexExpr, size: IndexExpr, what: str) -> _Start:
    room = extent - size
    if isinstance(value, IndexExpr) or not isinstance(value, Tensor | Scalar):
        at = as_index(value, f"{user_line()}: {what}: a start")
        if at.affine.is_constant and extent.affine.is_constant and size.affine.is_constant:
            first = at.affine.constant + (extent.affine.constant if at.affine.constant < 0 else 0)
            return _Start(as_index(min(max(first, 0), room.affine.constant), "a start"), extent, room)
        value = define((), lambda: at, "start")
    start = as_tensor(value, f"{what}: a start")
    if start.ndim or not is_integer(start.dtype):
        raise DTypeError(
            f"{user_line()}: {what}: a start is one integer, {start.name} is {start.dtype} with {start.ndim} dimensions"
        )
    return _Start(start, extent, room)


def _brought_inside(start: Tensor, extent: IndexExpr, room: IndexExpr) -> Scalar:
    given = Applied("cast", (start.element(()),), "int64")
    counted = Selected(Applied("lt", (given, Number(0))), Applied("add", (given, extent)), given)
    return Applied("minimum", (Applied("maximum", (counted, Number(0))), room))
