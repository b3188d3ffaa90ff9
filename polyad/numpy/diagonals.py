"""Diagonals and triangles. What lies outside of them costs nothing: the condition cuts the iteration domain."""

from __future__ import annotations

from typing import Any

from polyad.errors import ShapeError
from polyad.frontend.argument_checks import integer
from polyad.frontend.complex_numbers.rules import each_part
from polyad.frontend.compute import reduce_axis
from polyad.frontend.constants import as_tensor
from polyad.frontend.scalar import Applied, IndexExpr, Number, Reduced, Scalar, Selected, as_index
from polyad.frontend.tensor import Tensor, define
from polyad.numpy.dimensions import TensorLike, axis_number, extents, one_index

__all__ = ["diag", "diagonal", "trace", "tril", "triu"]


@each_part("x")
def tril(x: TensorLike, k: int = 0) -> Tensor:
    """The lower triangle of the last two dimensions: x[..., i, j] where j - i <= k, else 0.

    Raises:
        ShapeError: fewer than two dimensions.
    """
    return _triangle("tril", "le", x, k)


@each_part("x")
def triu(x: TensorLike, k: int = 0) -> Tensor:
    """The upper triangle of the last two dimensions: x[..., i, j] where j - i >= k, else 0.

    Raises:
        ShapeError: fewer than two dimensions.
    """
    return _triangle("triu", "ge", x, k)


def _triangle(what: str, comparison: str, x: TensorLike, k: Any) -> Tensor:
    t = as_tensor(x, "x")
    if t.ndim < 2:
        raise ShapeError(f"{what} takes a tensor of at least two dimensions, {t.name} has {t.ndim}")

    def body(*index: IndexExpr) -> Scalar:
        inside = Applied(comparison, (index[-1] - index[-2], as_index(k, "k")))
        return Selected(inside, t.element(index), Number(0))

    return define(extents(t), body, what)


@each_part("x")
def diagonal(x: TensorLike, offset: int = 0, axis1: int = 0, axis2: int = 1) -> Tensor:
    """The elements x[..., i, i + offset] of two dimensions; the diagonal is the last dimension of the result.

    Raises:
        ShapeError: the two dimensions are one, or their extents differ and are not both constant.
    """
    t, i, j, length = _diagonal_of("diagonal", x, offset, axis1, axis2)
    kept = [d for d in range(t.ndim) if d not in (i, j)]

    def body(*index: IndexExpr) -> Scalar:
        at = dict(zip(kept, index, strict=False))
        at[i], at[j] = index[-1] + max(-offset, 0), index[-1] + max(offset, 0)
        return t.element([at[d] for d in range(t.ndim)])

    return define([*(extents(t)[d] for d in kept), length], body, "diagonal")


@each_part("x")
def trace(x: TensorLike, offset: int = 0, axis1: int = 0, axis2: int = 1) -> Tensor:
    """The sum of a diagonal.

    Raises:
        ShapeError: as `diagonal`.
    """
    t, i, j, length = _diagonal_of("trace", x, offset, axis1, axis2)
    kept = [d for d in range(t.ndim) if d not in (i, j)]
    k = reduce_axis(length, "k")

    def body(*index: IndexExpr) -> Scalar:
        at = dict(zip(kept, index, strict=True))
        at[i], at[j] = k + max(-offset, 0), k + max(offset, 0)
        return Reduced("sum", (k.axes[0],), t.element([at[d] for d in range(t.ndim)]))

    return define([extents(t)[d] for d in kept], body, "trace")


@each_part("x")
def diag(x: TensorLike, k: int = 0) -> Tensor:
    """The k-th diagonal of a matrix, or the matrix that has a vector as its k-th diagonal.

    Raises:
        ShapeError: neither a vector nor a matrix.
    """
    t = as_tensor(x, "x")
    if t.ndim == 2:
        return diagonal(t, k)
    if t.ndim != 1:
        raise ShapeError(f"diag takes a vector or a matrix, {t.name} has {t.ndim} dimensions")
    n = extents(t)[0] + abs(k)

    def body(i: IndexExpr, j: IndexExpr) -> Scalar:
        on = Applied("eq", (j - i, one_index(k)))
        return Selected(on, t.element([i - max(-k, 0)]), Number(0))

    return define((n, n), body, "diag")


def _diagonal_of(what: str, x: TensorLike, offset: int, axis1: int, axis2: int) -> tuple[Tensor, int, int, IndexExpr]:
    """The tensor, the two dimensions, and the length of the diagonal."""
    t = as_tensor(x, "x")
    i, j = axis_number(axis1, t.ndim, what), axis_number(axis2, t.ndim, what)
    offset = integer(offset, f"{what}: offset")
    if i == j:
        raise ShapeError(f"{what}: axis1 and axis2 are the same dimension, {i}")
    rows, columns = extents(t)[i] - max(-offset, 0), extents(t)[j] - max(offset, 0)
    difference = rows.affine - columns.affine
    if not difference.is_constant:
        raise ShapeError(
            f"{what}: extents {extents(t)[i]} and {extents(t)[j]} of {t.name}: it is not known which is smaller, so "
            "the diagonal has no extent that is an expression of sizes; slice the tensor first"
        )
    length = rows if difference.constant <= 0 else columns
    if length.affine.is_constant and length.affine.constant < 0:
        length = one_index(0)
    return t, i, j, length
