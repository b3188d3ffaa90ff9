"""Systems whose matrix has few diagonals: elimination with partial pivoting over a window of rows that slides down.

In step i the window holds the L + 1 rows that may be the pivot of column i, and L + U + 1 of their columns, from i on.
With w[i, r, c] row r of the window and column i + c, and column C for the right-hand sides:

    pivot[i]       = the first r with the largest |w[i, r, 0]|;      p[i, c] = w[i, pivot[i], c]
    w[i + 1, r, c] = w'[c + 1] - w'[0] / p[i, 0] p[i, c + 1],  w' = w[i, 0] where r + 1 is the pivot, else w[i, r + 1]
    w[i + 1, L, :] = row i + 1 + L of the matrix
    x[i]           = (p[i, C] - sum_{c > 0} p[i, c] x[i + c]) / p[i, 0]

A work of N (L + 1) (L + U + 1) products, and as much for the derivative.
"""

from __future__ import annotations

from typing import Any

from polyad.errors import ShapeError
from polyad.frontend.argument_checks import integer
from polyad.frontend.compute import reduce_axis
from polyad.frontend.operator_functions import abs
from polyad.frontend.recurrence import recurrence
from polyad.frontend.scalar import IndexExpr, Number, Scalar
from polyad.frontend.scalar_functions import reduction, select
from polyad.frontend.tensor import Tensor, define, user_line
from polyad.numpy.dimensions import broadcast_extents, extents, floats, shape_text
from polyad.numpy.joining import stack
from polyad.numpy.linalg.matrices import common_batch, matrix, with_batch
from polyad.numpy.permutation import broadcast_to, squeeze

__all__ = ["solve_banded", "tridiagonal_solve"]

_sum, _max, _min = reduction("sum"), reduction("max"), reduction("min")
_NOBODY = Number(2**63 - 1)


def solve_banded(l_and_u: tuple[int, int], ab: Any, b: Any) -> Tensor:
    """The solution x of a x = b for a matrix of few diagonals, as `scipy.linalg.solve_banded`.

    Shapes: ab (..., L + U + 1, N) with ab[U + i - j, j] = a[i, j]; b (N) or (..., N, K); x as b.

    Args:
        l_and_u: (L, U), how many diagonals there are below and above the main one.
        ab: the diagonals as rows; the elements outside of the matrix are not read.
        b: right-hand side, a vector, or columns of a matrix. A singular matrix gives infinities and nan.

    Raises:
        ShapeError: shapes that do not fit each other, or a negative number of diagonals.
    """
    lower, upper = (integer(n, "solve_banded: l_and_u") for n in l_and_u)
    t, given = matrix(ab, "solve_banded", "ab"), floats(b, "b")
    vector = given.ndim == 1
    columns = define((*extents(given), 1), lambda *i: given.element(i[:-1]), given.name) if vector else given
    if min(lower, upper) < 0 or t.shape[-2] != lower + upper + 1:
        raise ShapeError(
            f"{user_line()}: solve_banded: {lower} diagonals below and {upper} above the main one make "
            f"{lower + upper + 1} rows, ab has shape {shape_text(extents(t))}"
        )
    if not given.ndim or columns.shape_affine[-2] != t.shape_affine[-1]:
        raise ShapeError(
            f"{user_line()}: solve_banded: ab {shape_text(extents(t))} is of a matrix with {t.shape[-1]} rows, b has "
            f"shape {shape_text(extents(given))}; b has a row for each"
        )
    x = _solution(lower, upper, t, columns)
    return squeeze(x, -1) if vector else x


def tridiagonal_solve(dl: Any, d: Any, du: Any, b: Any) -> Tensor:
    """The solution x of a x = b for a tridiagonal matrix, as `jax.lax.linalg.tridiagonal_solve`, with partial pivoting.

    Equation: dl[i] x[i - 1] + d[i] x[i] + du[i] x[i + 1] = b[i]; dl[0] and du[N - 1] are not read.

    Shapes: dl, d, du (..., N); b (..., N, K), or (N); x as b.

    Raises:
        ShapeError: shapes that do not fit each other.
    """
    parts = [floats(v, n) for v, n in ((dl, "dl"), (d, "d"), (du, "du"))]
    shape = broadcast_extents(f"{user_line()}: tridiagonal_solve", [extents(p) for p in parts])
    below, main, above = (broadcast_to(p, shape) for p in parts)
    n = shape[-1]

    def moved(t: Tensor, by: int) -> Tensor:
        """The diagonal as a row of `ab`: element j of the row is in column j of the matrix."""

        def body(*index: IndexExpr) -> Scalar:
            at = index[-1] + by
            result: Scalar = select((at >= 0) & (at < n), t.element([*index[:-1], at]), 0.0)
            return result

        return define(shape, body, t.name, t.dtype)

    return solve_banded((1, 1), stack([moved(above, -1), main, moved(below, 1)], -2), b)


def _solution(lower: int, upper: int, t: Tensor, columns: Tensor) -> Tensor:
    batch = common_batch("solve_banded", t, columns)
    n, k = extents(columns)[-2:]
    width = lower + upper + 1
    band, right = with_batch(t, batch), with_batch(columns, batch)

    def element(at: Any, i: IndexExpr, c: IndexExpr, first: Any) -> Any:
        """Row i of the matrix, c columns behind `first`: of the band, or zero; behind these, its right-hand side."""
        j = first + c
        row = i - j + upper
        inside = (c < width) & (j < n) & (row >= 0) & (row < width)
        value = select(inside, band(*at, row, j), select(c >= width, right(*at, i, c - width), 0.0))
        return select(i < n, value, 0.0)

    def equations(window: Any, pivot: Any, *index: IndexExpr) -> tuple[Any, Any]:
        *at, i, r, c = index  # of a vector: i, 0, 0
        fresh = select(i == 0, element(at, r, c, i), element(at, i + lower, c, i))
        chosen, last = pivot[(*at, i - 1, 0, 0)], i - 1

        def old(column: Any) -> Any:
            """Row r + 1 of the window before, the first row in the place of the pivot."""
            return select(chosen == r + 1, window[(*at, last, 0, column)], window[(*at, last, r + 1, column)])

        def eliminated(column: Any) -> Any:
            share = old(0) / window[(*at, last, chosen, 0)]
            return old(column) - share * window[(*at, last, chosen, column)]

        slid = select(c < width - 1, eliminated(c + 1), select(c == width - 1, 0.0, eliminated(c)))
        q, m = reduce_axis(lower + 1, "q"), reduce_axis(lower + 1, "m")
        most = _max(_size(window[(*at, i, m, 0)]), axis=m)
        first = _min(select(_size(window[(*at, i, q, 0)]) >= most, q, _NOBODY), axis=q)
        return select((i == 0) | (r == lower), fresh, slid), first

    shapes = ((*batch, n, lower + 1, width + k), (*batch, n, 1, 1))
    window, pivot = recurrence(shapes, equations, None, (t.dtype, "int64"))

    def x(x: Any, *index: IndexExpr) -> Any:
        *at, i, m = index
        chosen, c = pivot.element([*at, i, 0, 0]), reduce_axis((1, width), "c")
        later = select(i + c < n, window.element([*at, i, chosen, c]) * x[(*at, i + c, m)], 0)
        return (window.element([*at, i, chosen, m + width]) - _sum(later, axis=c)) / window.element([*at, i, chosen, 0])

    solution: Tensor = recurrence((*batch, n, k), x, "x", t.dtype)
    return solution


def _size(value: Any) -> Any:
    """The absolute value; of nan infinity, so that there is a largest one."""
    return select(value == value, abs(value), float("inf"))
