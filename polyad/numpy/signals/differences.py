"""Differences of neighbours, and the sum of the trapezoids between them."""

from __future__ import annotations

from typing import Any

from polyad.errors import ShapeError
from polyad.frontend.argument_checks import integer
from polyad.frontend.constants import as_tensor
from polyad.frontend.scalar import is_number
from polyad.frontend.tensor import Tensor, user_line
from polyad.numpy.dimensions import TensorLike, axis_number, extents
from polyad.numpy.elementwise import not_equal, subtract
from polyad.numpy.joining import concatenate
from polyad.numpy.permutation import atleast_1d, broadcast_to, moveaxis
from polyad.numpy.reductions import sum
from polyad.numpy.reshape import ravel

__all__ = ["diff", "ediff1d", "trapezoid"]


def diff(x: TensorLike, n: int = 1, axis: int = -1, prepend: Any = None, append: Any = None) -> Tensor:
    """Differences of neighbours, n times: result[i] = x[i + 1] - x[i]; of truth values, whether they differ.

    Args:
        x: tensor.
        n: how often.
        axis: dimension.
        prepend: what stands before x along it, a number or a tensor.
        append: what stands behind it.

    Raises:
        ShapeError: n is negative, or there is no such dimension.
    """
    t = as_tensor(x, "x")
    if integer(n, "diff: n") < 0:
        raise ShapeError(f"{user_line()}: diff: n is how often differences are taken, 0 or more, not {n}")
    d = axis_number(axis, t.ndim, "diff")
    parts = [t if p is t else _border(p, t, d) for p in (prepend, t, append) if p is not None]
    result: Tensor = concatenate(parts, d) if len(parts) > 1 else t
    for _ in range(n):
        before, behind = (
            tuple(s if k == d else slice(None) for k in range(t.ndim)) for s in (slice(-1), slice(1, None))
        )
        difference = not_equal if result.dtype == "bool" else subtract
        result = difference(result[behind], result[before])
    return result


def _border(value: Any, t: Tensor, d: int) -> Tensor:
    """The elements before or behind a tensor; a number stands along all of the other dimensions."""
    border = as_tensor(value, "a border")
    if border.ndim:
        return border
    shape = list(extents(t))
    return broadcast_to(border, (*shape[:d], 1, *shape[d + 1 :]))


def ediff1d(x: TensorLike, to_end: Any = None, to_begin: Any = None) -> Tensor:
    """Differences of neighbours of the ravelled tensor, between what is put in front and behind."""
    inner = diff(ravel(x))
    parts = [inner if p is inner else ravel(atleast_1d(p)) for p in (to_begin, inner, to_end) if p is not None]
    return concatenate(parts) if len(parts) > 1 else inner


def trapezoid(y: TensorLike, x: Any = None, dx: Any = 1.0, axis: int = -1) -> Tensor:
    """The integral by the rule of trapezoids: sum_i (y[i + 1] + y[i]) / 2 * (x[i + 1] - x[i]).

    Args:
        y: tensor.
        x: where its elements lie along the axis: a vector, or a tensor of the shape of y; None for a distance `dx`.
        dx: the distance, a number or a tensor that broadcasts.
        axis: dimension.

    Raises:
        ShapeError: no such dimension, or x does not broadcast to y.
    """
    t = as_tensor(y, "y")
    t = moveaxis(t, axis_number(axis, t.ndim, "trapezoid"), -1)
    if x is None:
        steps = dx if is_number(dx) else as_tensor(dx, "dx")
    else:
        points = as_tensor(x, "x")
        steps = diff(points if points.ndim == 1 else moveaxis(points, axis, -1))
    twice = sum((t[..., 1:] + t[..., :-1]) * steps, -1)
    area: Tensor = twice / 2.0
    return area
