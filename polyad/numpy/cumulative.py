"""Running sums and products: recurrences along a dimension."""

from __future__ import annotations

from typing import Any

from polyad.frontend.constants import as_tensor
from polyad.frontend.recurrence import recurrence
from polyad.frontend.scalar import Applied, IndexExpr, Scalar, Selected
from polyad.frontend.tensor import Tensor
from polyad.numpy.dimensions import TensorLike, axis_number, extents, one_index
from polyad.numpy.reshape import ravel

__all__ = ["cumprod", "cumsum"]


def cumsum(x: TensorLike, axis: int | None = None) -> Tensor:
    """Running sums: result[i] = result[i - 1] + x[i].

    Args:
        x: tensor.
        axis: dimension; None runs over the ravelled tensor.

    Raises:
        ShapeError: no such dimension.
    """
    return _running("cumsum", "add", x, axis)


def cumprod(x: TensorLike, axis: int | None = None) -> Tensor:
    """Running products: result[i] = result[i - 1] * x[i].

    Args:
        x: tensor.
        axis: dimension; None runs over the ravelled tensor.

    Raises:
        ShapeError: no such dimension.
    """
    return _running("cumprod", "mul", x, axis)


def _running(name: str, op: str, x: TensorLike, axis: int | None) -> Tensor:
    t = ravel(x) if axis is None else as_tensor(x, "x")
    d = axis_number(0 if axis is None else axis, t.ndim, name)

    def body(running: Tensor, *index: IndexExpr) -> Scalar:
        here = t.element(index)
        before: Any = running[tuple(i - 1 if n == d else i for n, i in enumerate(index))]
        return Selected(Applied("eq", (index[d], one_index(0))), here, Applied(op, (before, here)))

    result: Tensor = recurrence(extents(t), body, name, t.dtype)
    return result
