"""LU factors with partial pivoting, and what is computed with them: solutions, inverses, determinants.

Rows stay where they are; the row `pivot[k]` is the one that step k divides by. With i any row:

    rest[k, i]   = a[i, k] - sum_{l < k} upper[l, k] factor[l, i]
    size[k, i]   = |rest[k, i]|, -1 once row i has been a pivot
    largest[k]   = max_i size[k, i];        pivot[k] = the first i with size[k, i] == largest[k]
    factor[k, i] = rest[k, i] / rest[k, pivot[k]]       of rows that are still to be pivots, else 0
    lower[k, l]  = factor[l, pivot[k]]                                                              l < k
    upper[k, j]  = a[pivot[k], j] - sum_{l < k} lower[k, l] upper[l, j]                             k <= j

so a[pivot[i], j] = sum_l lower[i, l] upper[l, j] with ones on the diagonal of lower. What a step computes lies in a row
of memory, and rows of a pivot are looked up once for each element, and not for each product. Every element is
computed once and kept: derivatives need no memory beyond that. Numbers that are nan count as infinite, so that pivots
are rows of the matrix whatever its elements are.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, NamedTuple

from polyad.frontend.compute import reduce_axis
from polyad.frontend.operator_functions import abs, log, sign
from polyad.frontend.recurrence import recurrence
from polyad.frontend.scalar import IndexExpr, Number, Scalar
from polyad.frontend.scalar_functions import cast, reduction, select
from polyad.frontend.tensor import Tensor, define
from polyad.frontend.traced.custom_jvp import custom_jvp
from polyad.numpy.creation import eye
from polyad.numpy.diagonals import diagonal
from polyad.numpy.dimensions import extents
from polyad.numpy.linalg.matrices import common_batch, right_sides, square_matrix, with_batch
from polyad.numpy.linalg.triangular import substitute
from polyad.numpy.permutation import squeeze
from polyad.numpy.reductions import prod, sum

__all__ = ["SlogdetResult", "det", "inv", "lu", "slogdet", "solve"]

_sum, _max, _min = reduction("sum"), reduction("max"), reduction("min")
_NOBODY = Number(2**63 - 1)


class SlogdetResult(NamedTuple):
    """The determinant as sign * exp(logabsdet)."""

    sign: Any
    logabsdet: Any


@dataclass(frozen=True, slots=True)
class _Factors:
    """a[pivot[i], j] = sum_l lower[i, l] upper[l, j].

    Attributes:
        lower: (..., N, N) with ones on the diagonal.
        upper: (..., N, N).
        pivot: (..., N, 1) of rows.
    """

    lower: Tensor
    upper: Tensor
    pivot: Tensor


def _factors(t: Tensor) -> _Factors:
    *batch, n, _ = extents(t)

    def equations(
        rest: Any, size: Any, largest: Any, pivot: Any, factor: Any, lower: Any, upper: Any, *index: IndexExpr
    ) -> Any:
        *at, k, i = index  # of a vector of N numbers: k, 0
        before = reduce_axis((0, k), "l")
        r, q = reduce_axis(n, "r"), reduce_axis(n, "r")
        here, chosen = rest[(*at, k, i)], pivot[(*at, k, 0)]
        number = select(here == here, abs(here), float("inf"))
        used = (size[(*at, k - 1, i)] < 0) | (pivot[(*at, k - 1, 0)] == i)
        return (
            t.element([*at, i, k]) - _sum(upper[(*at, before, k)] * factor[(*at, before, i)], axis=before),
            select(k == 0, number, select(used, -1.0, number)),
            _max(size[(*at, k, r)], axis=r),
            _min(select(size[(*at, k, q)] >= largest[(*at, k, 0)], q, _NOBODY), axis=q),
            select(size[(*at, k, i)] > 0, here / rest[(*at, k, chosen)], 0.0),
            select(i < k, factor[(*at, i, chosen)], 0.0),
            select(
                k <= i,
                t.element([*at, chosen, i]) - _sum(lower[(*at, k, before)] * upper[(*at, before, i)], axis=before),
                0.0,
            ),
        )

    whole, column = (*batch, n, n), (*batch, n, 1)
    floating = t.dtype
    kinds = (floating, floating, floating, "int64", floating, floating, floating)
    *_, pivot, _, below, upper = recurrence((whole, whole, column, column, whole, whole, whole), equations, None, kinds)

    def lower(*index: IndexExpr) -> Scalar:
        *_, i, j = index
        result: Scalar = select(i == j, 1.0, below.element(index))
        return result

    return _Factors(define(whole, lower, "lower_factor", floating), upper, pivot)


def lu(a: Any) -> tuple[Tensor, Tensor, Tensor]:
    """The factors (p, l, u) with a = p l u, rows exchanged for the largest pivot, as `scipy.linalg.lu`.

    Shapes: a, p, l, u (..., N, N); p is a permutation, l lower triangular with ones on the diagonal, u upper.

    Raises:
        ShapeError: not square.
    """
    t = square_matrix(a, "lu")
    found = _factors(t)

    def p(*index: IndexExpr) -> Scalar:
        *at, i, k = index
        result: Scalar = select(found.pivot.element([*at, k, 0]) == i, 1.0, 0.0)
        return result

    return define(extents(t), p, "p", t.dtype), found.lower, found.upper


def solve(a: Any, b: Any) -> Tensor:
    """The solution x of a x = b, by LU factors with partial pivoting.

    Shapes: a (..., N, N); b (N) or (..., N, K); x as b, with the leading dimensions of both. As in NumPy 2, b is a
    vector only if it has one dimension. A singular matrix gives infinities and nan, without an error.

    Raises:
        ShapeError: not square, or another number of rows.
    """
    t = square_matrix(a, "solve")
    columns, vector = right_sides(b, t, "solve")
    x = _solution(t, columns)
    return squeeze(x, -1) if vector else x


def _solution(t: Tensor, columns: Tensor) -> Tensor:
    """The solution x of t x = columns."""
    found = _factors(t)
    solution: Tensor = _solved(t, found.lower, found.upper, found.pivot, columns)
    return solution


def _substituted(lower: Tensor, upper: Tensor, pivot: Tensor, columns: Tensor) -> Tensor:
    """The solution x of lower upper x = columns, whose rows are exchanged first."""
    batch = common_batch("solve", upper, columns)
    right, row = with_batch(columns, batch), with_batch(pivot, batch)

    def permuted(*index: IndexExpr) -> Scalar:
        *at, i, m = index
        return right(*at, row(*at, i, 0), m)

    moved = define((*batch, extents(upper)[-1], extents(columns)[-1]), permuted, "b_moved")
    return substitute(upper, substitute(lower, moved, True, unit=True), False)


@custom_jvp
def _solved(t: Tensor, lower: Tensor, upper: Tensor, pivot: Tensor, columns: Tensor) -> Tensor:
    """The solution x of t x = columns, from the factors of t: a function of t and of the columns.

    t x_dot = columns_dot - t_dot x is solved with the factors there are, forward and, transposed, in reverse. No
    derivative goes through the factors but of x_dot, which is a function of them.
    """
    return _substituted(lower, upper, pivot, columns)


@_solved.defjvp
def _solved_dot(primals: tuple[Tensor, ...], tangents: tuple[Tensor, ...]) -> tuple[Tensor, Tensor]:
    (_, lower, upper, pivot, _), (t_dot, *_, columns_dot) = primals, tangents
    x = _solved(*primals)
    return x, _substituted(lower, upper, pivot, columns_dot - t_dot @ x)


def inv(a: Any) -> Tensor:
    """The inverse: the solution of a x = 1. For a product with a vector or matrix, `solve` is cheaper and closer.

    Shapes: a (..., N, N), and the result the same. A singular matrix gives infinities and nan, without an error.

    Raises:
        ShapeError: not square.
    """
    t = square_matrix(a, "inv")
    return _solution(t, eye(extents(t)[-1], dtype=t.dtype))


def _parity(found: _Factors, dtype: str) -> Tensor:
    """1 or -1 (...): how many pairs of rows stand the other way round in the pivots."""
    *batch, n, _ = extents(found.upper)

    def body(*at: IndexExpr) -> Scalar:
        j = reduce_axis(n, "j")
        i = reduce_axis((0, j), "i")
        turned = found.pivot.element([*at, i, 0]) > found.pivot.element([*at, j, 0])
        pairs = _sum(select(turned, 1, 0), axis=(j, i))
        result: Scalar = cast(1 - 2 * (pairs % 2), dtype)
        return result

    return define(batch, body, "parity", dtype)


def det(a: Any) -> Tensor:
    """The determinant, the product of the pivots.

    Shapes: a (..., N, N), the result (...). The gradient is that of the product: exact for singular matrices whose zero
    pivot comes last, as that of a matrix of rank N - 1 with independent leading columns.

    Raises:
        ShapeError: not square.
    """
    t = square_matrix(a, "det")
    found = _factors(t)
    value: Tensor = prod(diagonal(found.upper, 0, -2, -1), -1) * _parity(found, t.dtype)
    return value


def slogdet(a: Any) -> SlogdetResult:
    """The sign of the determinant and the logarithm of its absolute value; (0, -inf) of a singular matrix.

    Shapes: a (..., N, N), both results (...).

    Raises:
        ShapeError: not square.
    """
    t = square_matrix(a, "slogdet")
    found = _factors(t)
    pivots = diagonal(found.upper, 0, -2, -1)
    return SlogdetResult(prod(sign(pivots), -1) * _parity(found, t.dtype), sum(log(abs(pivots)), -1))
