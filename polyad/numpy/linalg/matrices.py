"""Questions that every function of linear algebra asks of its arguments: is it a matrix, is it square, which batch."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

from polyad.errors import ShapeError
from polyad.frontend.scalar import IndexExpr, Scalar
from polyad.frontend.symbols import Size
from polyad.frontend.tensor import Tensor, define, user_line
from polyad.numpy.dimensions import aligned, broadcast_extents, extents, floats, shape_text

__all__ = ["common_batch", "is_tall", "matrix", "right_sides", "rows_agree", "square_matrix", "with_batch"]

Index = Sequence[IndexExpr]


def matrix(x: Any, what: str, name: str = "a") -> Tensor:
    """A tensor of floats with at least two dimensions, of which the last two are rows and columns.

    Raises:
        ShapeError: fewer than two dimensions.
    """
    t = floats(x, name)
    if t.ndim < 2:
        raise ShapeError(
            f"{user_line()}: {what} takes matrices, {name} has shape {shape_text(extents(t))}; "
            f"make it one with {name}[:, None] or {name}.reshape(M, N)"
        )
    return t


def square_matrix(x: Any, what: str, name: str = "a") -> Tensor:
    """A matrix with as many rows as columns.

    Raises:
        ShapeError: it is not square for all sizes.
    """
    t = matrix(x, what, name)
    rows, columns = extents(t)[-2:]
    if rows.affine != columns.affine:
        raise ShapeError(
            f"{user_line()}: {what} takes square matrices, {name} has shape {shape_text(extents(t))}: {rows} rows and "
            f"{columns} columns; systems with more rows than columns are solved by lstsq, and qr takes any"
        )
    return t


def right_sides(b: Any, a: Tensor, what: str, name: str = "b") -> tuple[Tensor, bool]:
    """The right-hand sides as columns of matrices, and whether it is one vector: only a tensor of one dimension is.

    Raises:
        ShapeError: not as many rows as the matrix has.
    """
    t = floats(b, name)
    vector = t.ndim == 1
    columns = define((*extents(t), 1), lambda *i: t.element(i[:-1]), t.name) if vector else matrix(t, what, name)
    rows_agree(a, columns, what, name)
    return columns, vector


def rows_agree(a: Tensor, b: Tensor, what: str, name: str = "b") -> None:
    """Refuse matrices with different numbers of rows.

    Raises:
        ShapeError: they have.
    """
    if a.shape_affine[-2] != b.shape_affine[-2]:
        raise ShapeError(
            f"{user_line()}: {what}: a matrix {shape_text(extents(a))} and {name} {shape_text(extents(b))}: "
            f"{a.shape_affine[-2]} rows against {b.shape_affine[-2]}; {name} has a row for each of the matrix"
        )


def common_batch(what: str, *matrices: Tensor) -> tuple[IndexExpr, ...]:
    """The leading dimensions of all of them, broadcast against each other.

    Raises:
        ShapeError: two extents differ and neither is 1.
    """
    return broadcast_extents(f"{user_line()}: {what}: leading dimensions", [extents(m)[:-2] for m in matrices])


def with_batch(t: Tensor, batch: Sequence[IndexExpr]) -> Callable[..., Scalar]:
    """Return a reader of elements by an index of the common batch, then row and column."""
    own = extents(t)[:-2]
    return lambda *index: t.element([*aligned(own, index[: len(batch)]), *index[len(batch) :]])


def is_tall(t: Tensor, what: str) -> bool:
    """Whether a matrix has at least as many rows as columns, for all sizes.

    Raises:
        ShapeError: that depends on the sizes.
    """
    rows, columns = extents(t)[-2:]
    more = rows - columns
    if _least(more) >= 0:
        return True
    if _least(columns - rows) >= 0:
        return False
    raise ShapeError(
        f"{user_line()}: {what}: a matrix {shape_text(extents(t))} has more rows or more columns, as the sizes are; "
        "make it known: declare the rows as N + K, or fix a size"
    )


def _least(difference: IndexExpr) -> float:
    """The least value, or -inf where sizes make it ever smaller."""
    total: float = difference.affine.constant
    for name, coefficient in difference.affine.terms:
        size = difference.symbols.get(name) if isinstance(name, str) else None
        total += coefficient * size.least if coefficient > 0 and isinstance(size, Size) else float("-inf")
    return total
