"""Cholesky factors: a recurrence over the lower triangle.

    l[i, j] = (a[i, j] - sum_{k < j} l[i, k] l[j, k]) / l[j, j]          j < i
    l[j, j] = sqrt(a[j, j] - sum_{k < j} l[j, k]**2)

About N**3 / 6 products, and as many for each factor of the derivative.
"""

from __future__ import annotations

from typing import Any

from polyad.frontend.argument_checks import flag
from polyad.frontend.compute import reduce_axis
from polyad.frontend.operator_functions import sqrt
from polyad.frontend.recurrence import recurrence
from polyad.frontend.scalar import IndexExpr
from polyad.frontend.scalar_functions import reduction, select
from polyad.frontend.tensor import Tensor
from polyad.numpy.dimensions import extents
from polyad.numpy.linalg.matrices import square_matrix
from polyad.numpy.permutation import swapaxes

__all__ = ["cho_factor", "cholesky"]

_sum = reduction("sum")


def cholesky(a: Any, *, upper: bool = False, symmetrize_input: bool = True) -> Tensor:
    """The lower triangular l with a = l l^T for symmetric positive definite matrices.

    Shapes: a (..., N, N), l (..., N, N), with zeros above the diagonal.

    Args:
        a: matrix. One that is not positive definite gives nan, without an error.
        upper: give l^T.
        symmetrize_input: factor (a + a^T) / 2, so that derivatives are symmetric; else the lower triangle alone
            is read.

    Raises:
        ShapeError: not square.
    """
    t = square_matrix(a, "cholesky")
    both = flag(symmetrize_input, "cholesky: symmetrize_input")
    n = extents(t)[-1]

    def of(at: Any, i: IndexExpr, j: IndexExpr) -> Any:
        return (t.element([*at, i, j]) + t.element([*at, j, i])) * 0.5 if both else t.element([*at, i, j])

    def lower(lower: Any, *index: IndexExpr) -> Any:
        *at, i, j = index
        k = reduce_axis((0, j), "k")
        rest = of(at, i, j) - _sum(lower[(*at, i, k)] * lower[(*at, j, k)], axis=k)
        return select(i < j, 0.0, select(i == j, sqrt(rest), rest / lower[(*at, j, j)]))

    factor: Tensor = recurrence((*extents(t)[:-2], n, n), lower, "lower")
    return swapaxes(factor, -1, -2) if flag(upper, "cholesky: upper") else factor


def cho_factor(a: Any, lower: bool = False) -> tuple[Tensor, bool]:
    """The Cholesky factor and whether it is the lower one, for `cho_solve`, as `scipy.linalg.cho_factor`.

    Raises:
        ShapeError: not square.
    """
    below = flag(lower, "cho_factor: lower")
    return cholesky(a, upper=not below), below
