"""In which direction a loop moves: through the instances of a statement, and through the arrays that it touches.

When the loop with row r inside of loops with rows o1, o2, ... goes one iteration on, the instance moves by the vector v
with

    o1 v = o2 v = ... = 0,    r v = 1,    and no change along what the loops leave open.

Along an unskewed loop v is a unit vector; inside of the wavefront i + j the loop over j has v = (-1, 1). An access A
moves by A v.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import islpy as isl

from polyad.ir.affine import Affine
from polyad.schedule.state.equalities import Number, divided

__all__ = ["access_direction", "loop_direction"]


def loop_direction(dims: Sequence[str], around: Sequence[Affine], row: Affine) -> dict[str, int] | None:
    """The vector v, dimension -> step; None where the rows are dependent, or no integer vector does it.

    Args:
        dims: the dimensions of the statement.
        around: the rows of the loops around, outermost first.
        row: the loop's own.
    """
    equations = [[*_coefficients(r, dims), 0] for r in around] + [[*_coefficients(row, dims), 1]]
    pivots: list[tuple[int, list[Number]]] = []
    for equation in equations:
        rest = equation
        for column, known in pivots:
            factor = rest[column]
            if factor:
                rest = [a - factor * b for a, b in zip(rest, known, strict=True)]
        at = next((c for c in range(len(dims)) if rest[c]), None)
        if at is None:
            if rest[-1]:
                return None  # the loop's own row follows from those around
            continue
        scaled = [divided(a, rest[at]) for a in rest]
        pivots = [(c, [a - k[at] * b for a, b in zip(k, scaled, strict=True)]) for c, k in pivots] + [(at, scaled)]
    if any(k[-1].denominator != 1 for _, k in pivots):
        return None
    return dict.fromkeys(dims, 0) | {dims[c]: int(k[-1]) for c, k in pivots}


def _coefficients(row: Affine, dims: Sequence[str]) -> list[Number]:
    terms = dict(row.terms)
    return [terms.get(d, 0) for d in dims]


def access_direction(access: isl.MultiAff, dims: Sequence[str], step: Mapping[str, int]) -> tuple[int, ...] | None:
    """A v, one number for each dimension of the array; None where an index holds a division that moves."""
    found = []
    for i in range(access.dim(isl.dim_type.out)):
        aff = access.get_aff(i)
        moving = [p for p, d in enumerate(dims) if step[d] and aff.involves_dims(isl.dim_type.in_, p, 1)]
        if moving and aff.dim(isl.dim_type.div):
            return None
        found.append(sum(int(aff.get_coefficient_val(isl.dim_type.in_, p).to_python()) * step[dims[p]] for p in moving))
    return tuple(found)
