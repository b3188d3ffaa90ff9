"""How many instances a program executes: exact, and fast also where there are billions."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from math import prod

import islpy as isl

from polyad.ir.program import Program
from polyad.semantics.points import at_sizes, columns, rows

__all__ = ["cardinality", "instances"]


def instances(program: Program, sizes: Mapping[str, int]) -> dict[str, int]:
    """Statement name -> number of its instances at given sizes."""
    return {s.name: cardinality(s.domain, sizes) for s in program.statements}


def cardinality(domain: isl.Set, sizes: Mapping[str, int]) -> int:
    """The number of points of a set, bounded at these sizes.

    A dimension that an equation determines from the others is dropped; dimensions that share no constraint are counted
    apart and multiplied. What is left is enumerated, but for its last dimension.
    """
    pieces = at_sizes(domain, sizes).make_disjoint().get_basic_sets()
    return sum(_piece(piece) for piece in pieces)


def _piece(basic: isl.BasicSet) -> int:
    if basic.is_empty():
        return 0
    basic = _drop_determined(basic)
    n = basic.dim(isl.dim_type.set)
    if basic.dim(isl.dim_type.div):
        return int(basic.to_set().count_val().to_python())
    return prod(_group(basic, group) for group in _groups(basic, n))


def _drop_determined(basic: isl.BasicSet) -> isl.BasicSet:
    """Project out dimensions with an equation d = integer expression of the others: a bijection."""
    while basic.dim(isl.dim_type.div) == 0:
        determined = [
            d
            for row in rows(basic)
            if row.is_equality
            for d, coefficient in enumerate(row.coefficients)
            if abs(coefficient) == 1
        ]
        if not determined:
            break
        basic = basic.project_out(isl.dim_type.set, determined[-1], 1)
    return basic


def _groups(basic: isl.BasicSet, n: int) -> list[list[int]]:
    """The dimensions in groups that share no constraint."""
    group_of = {d: {d} for d in range(n)}
    for row in rows(basic):
        together = set().union(*(group_of[d] for d, c in enumerate(row.coefficients) if c))
        for d in together:
            group_of[d] = together
    return [sorted(group) for group in {min(g): g for g in group_of.values()}.values()]


def _group(basic: isl.BasicSet, group: Sequence[int]) -> int:
    """The number of points of some dimensions that are independent of the others."""
    own = basic.to_set()
    for d in reversed(range(basic.dim(isl.dim_type.set))):
        if d not in group:
            own = own.project_out(isl.dim_type.set, d, 1)
    (piece,) = own.get_basic_sets()
    found = columns(piece)
    return int(own.count_val().to_python()) if found is None else sum(len(last) for _, last in found)
