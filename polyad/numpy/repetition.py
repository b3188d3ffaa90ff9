"""Repeating elements and whole tensors, a constant number of times."""

from __future__ import annotations

from typing import Any

from polyad.errors import DTypeError, ShapeError
from polyad.frontend.complex_numbers.rules import each_part
from polyad.frontend.constants import as_tensor
from polyad.frontend.scalar import Applied, IndexExpr, described
from polyad.frontend.tensor import Tensor, define
from polyad.numpy.dimensions import TensorLike, axis_number, extents, one_index
from polyad.numpy.permutation import expand_dims
from polyad.numpy.piecewise import Piece, Pieces, in_pieces, whole
from polyad.numpy.reshape import ravel

__all__ = ["repeat", "tile"]


@each_part("x")
def repeat(x: TensorLike, repeats: int, axis: int | None = None) -> Tensor:
    """Each element several times in a row: result[i] = x[i // repeats].

    Args:
        x: tensor.
        repeats: how often.
        axis: dimension; None repeats the elements of the ravelled tensor.

    Raises:
        DTypeError: `repeats` is not an integer constant.
        ShapeError: it is negative, or there is no such dimension.
    """
    times = _times(repeats, "repeat")
    t = ravel(x) if axis is None else as_tensor(x, "x")
    d = axis_number(0 if axis is None else axis, t.ndim, "repeat")
    shape = list(extents(t))
    shape[d] = shape[d] * times
    if times == 0:
        return define(shape, lambda *i: Applied("cast", (one_index(0),), t.dtype), f"{t.name}_repeated")
    return define(shape, lambda *i: t.element([*i[:d], i[d] // times, *i[d + 1 :]]), f"{t.name}_repeated")


@each_part("x")
def tile(x: TensorLike, reps: Any) -> Tensor:
    """The whole tensor several times: result[i] = x[i mod N].

    Args:
        x: tensor.
        reps: how often along each dimension, integer constants; fewer of them count for the last dimensions.

    Raises:
        DTypeError: a count is not an integer constant.
        ShapeError: it is negative.
    """
    counts = [_times(r, "tile") for r in (reps if isinstance(reps, tuple | list) else (reps,))]
    t = as_tensor(x, "x")
    if len(counts) > t.ndim:
        t = expand_dims(t, tuple(range(len(counts) - t.ndim)))
    counts = [1] * (t.ndim - len(counts)) + counts
    shape = extents(t)
    if 0 in counts:
        empty = [e * r for e, r in zip(shape, counts, strict=True)]
        return define(empty, lambda *i: Applied("cast", (one_index(0),), t.dtype), f"{t.name}_tiled")

    def pieces(i: IndexExpr, extent: IndexExpr, times: int) -> Pieces:
        if times == 1:
            return whole(i)
        if extent.affine.is_constant:
            return whole(i % extent.affine.constant) if extent.affine.constant else whole(i)
        cases = [Piece(Applied("lt", (i, extent * (n + 1))), (i - extent * n,)) for n in range(times - 1)]
        return (*cases, *whole(i - extent * (times - 1)))

    return define(
        [e * r for e, r in zip(shape, counts, strict=True)],
        lambda *i: in_pieces(t, [pieces(k, e, r) for k, e, r in zip(i, shape, counts, strict=True)]),
        f"{t.name}_tiled",
    )


def _times(value: Any, what: str) -> int:
    if not isinstance(value, int) or isinstance(value, bool):
        raise DTypeError(f"{what}: the number of repetitions must be an integer constant, not {described(value)}")
    if value < 0:
        raise ShapeError(f"{what}: the number of repetitions is negative, {value}")
    return value
