"""Triangular systems: substitution as a recurrence over the rows.

    x[i, m] = (b[i, m] - sum_{k < i} l[i, k] x[k, m]) / l[i, i]         lower; upper: from the last row, over k > i

Only the triangle is read. The loops multiply once for each element of the triangle and each right-hand side.
"""

from __future__ import annotations

from typing import Any

from polyad.errors import DefinitionError
from polyad.frontend.argument_checks import flag
from polyad.frontend.compute import reduce_axis
from polyad.frontend.recurrence import recurrence
from polyad.frontend.scalar import IndexExpr
from polyad.frontend.scalar_functions import reduction
from polyad.frontend.tensor import Tensor, user_line
from polyad.numpy.dimensions import extents
from polyad.numpy.linalg.matrices import common_batch, right_sides, square_matrix, with_batch
from polyad.numpy.permutation import squeeze, swapaxes

__all__ = ["cho_solve", "solve_triangular", "substitute"]

_sum = reduction("sum")


def substitute(t: Tensor, b: Tensor, lower: bool, unit: bool = False) -> Tensor:
    """The solution x of t x = b for a triangular matrix t (..., N, N) and columns b (..., N, K).

    Args:
        t: of which the triangle is read.
        b: right-hand sides.
        lower: which triangle.
        unit: take the diagonal for ones.
    """
    batch = common_batch("solve_triangular", t, b)
    n, columns = extents(t)[-1], extents(b)[-1]
    left, right = with_batch(t, batch), with_batch(b, batch)

    def x(x: Any, *index: IndexExpr) -> Any:
        *at, i, m = index
        k = reduce_axis((0, i) if lower else (i + 1, n), "k")
        rest = right(*at, i, m) - _sum(left(*at, i, k) * x[(*at, k, m)], axis=k)
        return rest if unit else rest / left(*at, i, i)

    solution: Tensor = recurrence((*batch, n, columns), x, "x")
    return solution


_TRANSPOSED = {0: False, 1: True, 2: True, "N": False, "T": True, "C": True}


def solve_triangular(a: Any, b: Any, trans: int | str = 0, lower: bool = False, unit_diagonal: bool = False) -> Tensor:
    """The solution x of a x = b for a triangular matrix, as `scipy.linalg.solve_triangular`.

    Shapes: a (..., N, N); b (N) or (..., N, K); x as b, with the leading dimensions of both.

    Args:
        a: matrix, of which one triangle is read.
        b: right-hand side, a vector, or columns of a matrix.
        trans: 0 or "N" solves a x = b, 1 or "T" the transposed system.
        lower: the triangle is the lower one.
        unit_diagonal: the diagonal is taken for ones, and not read.

    Raises:
        ShapeError: not square, or another number of rows.
        DefinitionError: another `trans`.
    """
    what = "solve_triangular"
    t = square_matrix(a, what)
    columns, vector = right_sides(b, t, what)
    if trans not in _TRANSPOSED:
        raise DefinitionError(f"{user_line()}: {what}: trans is 0, 1, 'N' or 'T', not {trans!r}")
    below, unit = flag(lower, f"{what}: lower"), flag(unit_diagonal, f"{what}: unit_diagonal")
    if _TRANSPOSED[trans]:
        t, below = swapaxes(t, -1, -2), not below
    x = substitute(t, columns, below, unit)
    return squeeze(x, -1) if vector else x


def cho_solve(c_and_lower: tuple[Any, bool], b: Any) -> Tensor:
    """The solution x of a x = b from the Cholesky factor (c, lower) of a, as `scipy.linalg.cho_solve`.

    Shapes: c (..., N, N); b (N) or (..., N, K); x as b.

    Raises:
        ShapeError: not square, or another number of rows.
    """
    c, lower = c_and_lower
    t = square_matrix(c, "cho_solve", "c")
    columns, vector = right_sides(b, t, "cho_solve")
    below = t if flag(lower, "cho_solve: lower") else swapaxes(t, -1, -2)
    x = substitute(swapaxes(below, -1, -2), substitute(below, columns, True), False)
    return squeeze(x, -1) if vector else x
