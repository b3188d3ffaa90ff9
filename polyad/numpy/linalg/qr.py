"""QR factors by Householder's reflections, and solutions of least squares with them.

Step j maps what is left of column j to beta[j] e_j by 1 - tau[j] v_j v_j^T, v[i, j] = 0 above the diagonal, 1 on it.
All reflections before it are applied at once, by their inner products and one substitution:

    inner[k, l] = sum_i v[i, k] v[i, l]                                                         l < k
    z[k, j]     = tau[k] (sum_i v[i, k] a[i, j] - sum_{l < k} inner[k, l] z[l, j])              k < j
    rest[i, j]  = a[i, j] - sum_{k < j} v[i, k] z[k, j]
    tail[j]     = sum_{i > j} rest[i, j]**2
    beta[j]     = -+ sqrt(rest[j, j]**2 + tail[j]), of the sign that rest[j, j] has not
    v[i, j]     = rest[i, j] / (rest[j, j] - beta[j]),  tau[j] = (beta[j] - rest[j, j]) / beta[j]

Every element is computed once, derivatives keep no history of the matrix, and errors are those of reflections one by
one. The arrays have the step in front, v[j, i], rest[j, i]: docs/decisions/0070-linear-algebra-is-defined.md.
A column whose rest is zero has no reflection.
"""

from __future__ import annotations

from typing import Any, NamedTuple

from polyad.errors import ShapeError
from polyad.frontend.argument_checks import choice
from polyad.frontend.compute import reduce_axis
from polyad.frontend.operator_functions import sqrt
from polyad.frontend.recurrence import recurrence
from polyad.frontend.scalar import IndexExpr, Scalar
from polyad.frontend.scalar_functions import reduction, select
from polyad.frontend.tensor import Tensor, define, user_line
from polyad.numpy.dimensions import extents, shape_text
from polyad.numpy.linalg.matrices import common_batch, is_tall, matrix, right_sides, with_batch
from polyad.numpy.linalg.triangular import substitute
from polyad.numpy.permutation import squeeze
from polyad.numpy.reductions import sum

__all__ = ["LstsqResult", "QRResult", "lstsq", "qr"]

_sum = reduction("sum")


class QRResult(NamedTuple):
    """Factors of a matrix, a = Q R."""

    Q: Any
    R: Any


class LstsqResult(NamedTuple):
    """A solution of least squares as `numpy.linalg.lstsq` returns it; the singular values are not computed."""

    x: Any
    residuals: Any
    rank: int | Any
    s: None


def _reflections(t: Tensor, steps: IndexExpr) -> tuple[Tensor, Tensor, Tensor, Tensor, Tensor]:
    """(rest, beta, tau, v, inner) of the head of this file."""
    *batch, rows, columns = extents(t)

    def equations(
        rest: Any, tail: Any, beta: Any, tau: Any, v: Any, inner: Any, z: Any, *index: IndexExpr
    ) -> tuple[Any, ...]:
        *at, j, i = index  # of a vector: j, 0; of `inner` and `z`: k, l and k, j in the place of j, i
        k, r, p = reduce_axis((0, j), "k"), reduce_axis((j + 1, rows), "r"), reduce_axis((j, rows), "p")
        below, before = reduce_axis((j, rows), "r"), reduce_axis((0, j), "l")
        here, turned = rest[(*at, j, j)], beta[(*at, j, 0)]
        length = sqrt(here * here + tail[(*at, j, 0)])
        return (
            t.element([*at, i, j]) - _sum(select(k <= i, v[(*at, k, i)] * z[(*at, k, j)], 0), axis=k),
            _sum(rest[(*at, j, r)] * rest[(*at, j, r)], axis=r),
            select(j == rows - 1, here, select(here < 0, length, -length)),
            select(j == rows - 1, 0.0, select(turned == 0, 0.0, (turned - here) / turned)),
            select(
                i < j,
                0.0,
                select(i == j, 1.0, select(tau[(*at, j, 0)] == 0, 0.0, rest[(*at, j, i)] / (here - turned))),
            ),
            select(i < j, _sum(v[(*at, j, below)] * v[(*at, i, below)], axis=below), 0.0),
            select(
                j < i,
                tau[(*at, j, 0)]
                * (
                    _sum(v[(*at, j, p)] * t.element([*at, p, i]), axis=p)
                    - _sum(inner[(*at, j, before)] * z[(*at, before, i)], axis=before)
                ),
                0.0,
            ),
        )

    whole, vector = (*batch, columns, rows), (*batch, steps, 1)
    narrow, square, wide = (*batch, steps, rows), (*batch, steps, steps), (*batch, steps, columns)
    shapes = (whole, vector, vector, vector, narrow, square, wide)
    rest, _, beta, tau, v, inner, _ = recurrence(shapes, equations, None, t.dtype)
    return rest, beta, tau, v, inner


def _q(tau: Tensor, v: Tensor, inner: Tensor, columns: IndexExpr) -> Tensor:
    """The first columns of the product of all reflections.

    y[k, j] = tau[k] (v[j, k] - sum_{l > k} inner[l, k] y[l, j]),  q[i, j] = (i == j) - sum_k v[i, k] y[k, j]
    """
    *batch, steps, rows = extents(v)

    def y(y: Any, *index: IndexExpr) -> Any:
        *at, k, j = index
        l = reduce_axis((k + 1, steps), "l")
        later = _sum(select(l <= j, inner.element([*at, l, k]) * y[(*at, l, j)], 0), axis=l)
        return select(k <= j, tau.element([*at, k, 0]) * (v.element([*at, k, j]) - later), 0.0)

    weights = recurrence((*batch, steps, columns), y, "y", v.dtype)

    def q(*index: IndexExpr) -> Scalar:
        *at, i, j = index
        k = reduce_axis(steps, "k")
        moved = _sum(select((k <= i) & (k <= j), v.element([*at, k, i]) * weights.element([*at, k, j]), 0), axis=k)
        result: Scalar = select(i == j, 1.0, 0.0) - moved
        return result

    return define((*batch, rows, columns), q, "q", v.dtype)


def qr(a: Any, mode: str = "reduced") -> Any:
    """The factors Q with orthonormal columns and R upper triangular, a = Q R, as `numpy.linalg.qr`.

    Shapes: a (..., M, N), Q (..., M, K), R (..., K, N), K = min(M, N). Signs are those of LAPACK, but for a column that
    is zero below the diagonal already: its reflection is made all the same, since the derivative depends on it.

    Args:
        a: matrix; derivatives ask for independent columns.
        mode: "reduced"; "complete", with Q (..., M, M) and R (..., M, N); "r", R alone.

    Raises:
        ShapeError: fewer than two dimensions, or it depends on the sizes which of M and N is smaller.
        DefinitionError: another mode.
    """
    t = matrix(a, "qr")
    choice(mode, ("reduced", "complete", "r"), "qr: mode")
    *batch, rows, columns = extents(t)
    steps = columns if is_tall(t, "qr") else rows
    rest, beta, tau, v, inner = _reflections(t, steps)

    def r(*index: IndexExpr) -> Scalar:
        *at, i, j = index
        result: Scalar = select(i < j, rest.element([*at, j, i]), select(i == j, beta.element([*at, i, 0]), 0.0))
        return result

    height = rows if mode == "complete" else steps
    upper = define((*batch, height, columns), r, "r", t.dtype)
    return upper if mode == "r" else QRResult(_q(tau, v, inner, height), upper)


def lstsq(a: Any, b: Any, rcond: Any = None) -> LstsqResult:
    """The x with the least sum((a x - b)**2), for matrices with independent columns, by QR factors.

    Shapes: a (..., M, N) with M >= N; b (M) or (..., M, K); x (N) or (..., N, K); residuals (..., K), the least sums.

    Args:
        a: matrix. Dependent columns give infinities and nan, without an error.
        b: right-hand side, a vector, or columns of a matrix.
        rcond: of no effect: the rank is taken for N.

    Returns:
        (x, residuals, rank, s) with rank N and None for the singular values.

    Raises:
        ShapeError: another number of rows, or fewer rows than columns.
    """
    t = matrix(a, "lstsq")
    if not is_tall(t, "lstsq"):
        raise ShapeError(
            f"{user_line()}: lstsq: a matrix {shape_text(extents(t))} has fewer rows than columns, so many solutions; "
            "the shortest one is a.mT @ solve(a @ a.mT, b)"
        )
    columns, vector = right_sides(b, t, "lstsq")
    q, upper = qr(t)
    batch = common_batch("lstsq", t, columns)
    left, right = with_batch(q, batch), with_batch(columns, batch)
    *_, rows, n = extents(t)

    def turned(*index: IndexExpr) -> Scalar:
        *at, i, m = index
        k = reduce_axis(rows, "k")
        result: Scalar = _sum(left(*at, k, i) * right(*at, k, m), axis=k)
        return result

    x = substitute(upper, define((*batch, n, extents(columns)[-1]), turned, "q_b", t.dtype), False)
    solution = squeeze(x, -1) if vector else x
    away = t @ x - columns
    rank: Any = n.affine.constant if n.affine.is_constant else n
    return LstsqResult(solution, sum(away * away, -2), rank, None)
