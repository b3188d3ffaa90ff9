"""Repeating elements and whole tensors, constant numbers of times."""

from __future__ import annotations

from typing import Any

import numpy as np

from polyad.errors import DTypeError, ShapeError
from polyad.frontend.complex_numbers.rules import each_part
from polyad.frontend.constants import as_tensor
from polyad.frontend.scalar import Applied, IndexExpr, described
from polyad.frontend.tensor import Tensor, define, user_line
from polyad.numpy.dimensions import TensorLike, axis_number, extents, one_index
from polyad.numpy.indexing import take
from polyad.numpy.permutation import expand_dims
from polyad.numpy.piecewise import Piece, Pieces, in_pieces, whole
from polyad.numpy.reshape import ravel

__all__ = ["repeat", "tile"]


@each_part("x")
def repeat(x: TensorLike, repeats: Any, axis: int | None = None, *, total_repeat_length: int | None = None) -> Tensor:
    """Each element several times in a row: result[i] = x[i // repeats].

    Args:
        x: tensor.
        repeats: how often; or a list or array that says so for each element of the dimension.
        axis: dimension; None repeats the elements of the ravelled tensor.
        total_repeat_length: the extent of the result, which must be the sum of the numbers of times.

    Raises:
        DTypeError: `repeats` are not integer constants.
        ShapeError: one is negative, there is not one for each element, or there is no such dimension.
    """
    t = ravel(x) if axis is None else as_tensor(x, "x")
    d = axis_number(0 if axis is None else axis, t.ndim, "repeat")
    known = repeats.definition.value if isinstance(repeats, Tensor) else None
    repeats = repeats if known is None else known
    if isinstance(repeats, list | tuple | np.ndarray) and np.size(repeats) != 1:
        made = take(t, _sources(repeats, t, d), axis=d)
    else:
        one = np.asarray(repeats).item() if isinstance(repeats, list | tuple | np.ndarray | np.integer) else repeats
        made = _equally(t, d, _times(one, "repeat"))
    if total_repeat_length is not None and made.shape[d] != total_repeat_length:
        found = f"the result has {made.shape[d]} elements"
        raise ShapeError(f"{user_line()}: repeat: total_repeat_length is {total_repeat_length}, {found}")
    return made


def _sources(repeats: Any, t: Tensor, d: int) -> np.ndarray:
    """The element that each of the result is."""
    if isinstance(repeats, list | tuple) and any(isinstance(r, Tensor) for r in repeats):
        raise DTypeError("repeat: the numbers of times must be constants: the shape of the result depends on them")
    times = np.asarray(repeats)
    if times.dtype.kind not in "iu" or times.ndim != 1:
        raise DTypeError(f"repeat: the numbers of times must be a vector of integers, not of {times.dtype}")
    if t.shape[d] != len(times) or (times < 0).any():
        raise ShapeError(
            f"{user_line()}: repeat: {len(times)} numbers of times for {t.shape[d]} elements of dimension {d}; give "
            "one that is not negative for each"
        )
    return np.repeat(np.arange(len(times)), times)


def _equally(t: Tensor, d: int, times: int) -> Tensor:
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
