"""Norms of vectors and matrices."""

from __future__ import annotations

from typing import Any

from polyad.errors import DefinitionError, ShapeError
from polyad.frontend.argument_checks import flag
from polyad.frontend.operator_functions import abs, sqrt
from polyad.frontend.scalar import is_number
from polyad.frontend.tensor import Tensor, user_line
from polyad.numpy.dimensions import axis_numbers, floats
from polyad.numpy.elementwise import not_equal
from polyad.numpy.reductions import max, min, sum

__all__ = ["matrix_norm", "norm", "vector_norm"]

_INF = float("inf")


def norm(x: Any, ord: Any = None, axis: Any = None, keepdims: bool = False) -> Tensor:
    """A norm of vectors or of matrices, as `numpy.linalg.norm`.

    Equations, of vectors: (sum |x|**ord)**(1 / ord), 2 by default; inf and -inf the largest and least |x|, 0 the number
    of elements that are not zero. Of matrices: "fro" (default) sqrt(sum x**2), 1 and -1 the largest and least sum of a
    column of |x|, inf and -inf of a row. The gradient of a square root at 0 is nan, as in JAX.

    Args:
        x: tensor.
        ord: which norm.
        axis: the dimension of the vectors, or the two of the matrices; None takes the one or two that x has, and all of
            its elements if `ord` is None.
        keepdims: leave extent 1 in place of these.

    Raises:
        ShapeError: the axis names neither one nor two dimensions.
        DefinitionError: no such norm; those of singular values (2, -2, "nuc") of matrices are not there.
    """
    t = floats(x, "x")
    keep = flag(keepdims, "norm: keepdims")
    if axis is None and ord is None:
        return sqrt(sum(t * t, None, keep))
    axes = axis_numbers(axis, t.ndim, "norm")
    if len(axes) == 1:
        return _vectors(t, 2 if ord is None else ord, axes, keep)
    if len(axes) != 2:
        raise ShapeError(
            f"{user_line()}: norm: x has {t.ndim} dimensions, a norm is one of vectors or matrices; name one or two "
            "dimensions, axis=-1 or axis=(-2, -1)"
        )
    return _matrices(t, "fro" if ord is None else ord, axes, keep)


def vector_norm(x: Any, *, axis: Any = None, keepdims: bool = False, ord: Any = 2) -> Tensor:
    """A norm of vectors over one or several dimensions, all by default, as `numpy.linalg.vector_norm`.

    Raises:
        DefinitionError: no such norm.
    """
    t = floats(x, "x")
    return _vectors(t, ord, axis_numbers(axis, t.ndim, "vector_norm"), flag(keepdims, "vector_norm: keepdims"))


def matrix_norm(x: Any, *, keepdims: bool = False, ord: Any = "fro") -> Tensor:
    """A norm of matrices over the last two dimensions, as `numpy.linalg.matrix_norm`.

    Raises:
        ShapeError: fewer than two dimensions.
        DefinitionError: no such norm.
    """
    return norm(x, ord, (-2, -1), keepdims)


def _vectors(t: Tensor, ord: Any, axes: tuple[int, ...], keep: bool) -> Tensor:
    if not is_number(ord):
        raise DefinitionError(f"{user_line()}: norm of vectors: ord is a number, inf or -inf, not {ord!r}")
    result: Tensor
    if ord == 2:
        result = sqrt(sum(t * t, axes, keep))
    elif ord == _INF:
        result = max(abs(t), axes, keep)
    elif ord == -_INF:
        result = min(abs(t), axes, keep)
    elif ord == 0:
        result = sum(not_equal(t, 0), axes, keep).astype(t.dtype)
    elif ord == 1:
        result = sum(abs(t), axes, keep)
    else:
        result = sum(abs(t) ** ord, axes, keep) ** (1.0 / ord)
    return result


def _matrices(t: Tensor, ord: Any, axes: tuple[int, ...], keep: bool) -> Tensor:
    rows, columns = axes
    if isinstance(ord, str) and ord == "fro":
        return sqrt(sum(t * t, axes, keep))
    if not is_number(ord) or ord not in (1, -1, _INF, -_INF):
        raise DefinitionError(
            f"{user_line()}: norm of matrices: ord is 'fro', 1, -1, inf or -inf, not {ord!r}; singular values are the "
            "square roots of eigvalsh(x.mT @ x)"
        )
    along = rows if ord in (1, -1) else columns
    sums = sum(abs(t), along, True)
    return (max if ord > 0 else min)(sums, axes, keep)
