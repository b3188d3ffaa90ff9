"""Delay lines: in a step of a scan, the values of some steps ago, where data say how many."""

from __future__ import annotations

from typing import Any

from polyad.errors import DTypeError, ShapeError
from polyad.frontend.constants import as_tensor
from polyad.frontend.scalar import IndexExpr, Scalar, Selected
from polyad.frontend.tensor import Tensor, define, user_line
from polyad.ir.element_types import is_integer

__all__ = ["delay"]


def delay(line: Any, value: Any, steps: Any) -> tuple[Tensor, Tensor]:
    """Read a delay line of the last D values, and put the value of this step into it.

    Equations, where line[k] is the value of k + 1 steps ago:
        old[i] = line[steps[i] - 1, i];   after[0] = value,   after[k] = line[k - 1].

    Args:
        line: (D, ...), a carry of the scan that begins with what stands before the first step, such as zeros.
        value: (...), of this step.
        steps: by how many steps each element is delayed, 1 to D: an integer, or integer data of the shape of `value`
            or of its first dimensions.

    Returns:
        after, the carry of the next step; and old, (...). Derivatives by `line` and `value` go back as far.

    Raises:
        ShapeError: the shapes do not fit, or D is 0.
        DTypeError: steps are no integers.
        CallError: when called, for data that are not 1 to D.

    Example:
        >>> echo = lambda line, x: pa.delay(line, x, np.array([1, 2]))
        >>> x = np.arange(8.0).reshape(4, 2)
        >>> pa.jit(lambda x: pa.scan(echo, pa.numpy.zeros((2, 2)), x)[1])(x)
        array([[0., 0.],
               [0., 0.],
               [2., 1.],
               [4., 3.]])
    """
    buffer, new, by = as_tensor(line, "line"), as_tensor(value, "value"), as_tensor(steps, "steps")
    where = f"{user_line()}: delay"
    if not is_integer(by.dtype):
        raise DTypeError(f"{where}: steps is of type {by.dtype}; it holds numbers of steps: int32 or int64")
    if buffer.ndim != new.ndim + 1 or buffer.shape_affine[1:] != new.shape_affine:
        raise ShapeError(
            f"{where}: line has shape {buffer.shape} and the value {new.shape}; a line holds D values, (D, ...) of one"
        )
    if by.shape_affine != new.shape_affine[: by.ndim]:
        raise ShapeError(
            f"{where}: steps has shape {by.shape} and the value {new.shape}; it has the shape of the value, or of its "
            "first dimensions"
        )
    longest = buffer.shape_affine[0]
    if longest.is_constant and longest.constant < 1:
        raise ShapeError(f"{where}: the line holds no value: its first extent is {longest}")

    def old(*index: IndexExpr) -> Scalar:
        place: Scalar = by.element(index[: by.ndim]) - 1
        return buffer.element([place, *index])

    def after(k: IndexExpr, *index: IndexExpr) -> Scalar:
        first: Scalar = k < 1
        return Selected(first, new.element(index), buffer.element([k - 1, *index]))

    return define(buffer.shape, after, "line"), define(new.shape, old, "delayed")
