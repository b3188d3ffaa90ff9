"""Subscripts that data choose, where C asks for the element only under a condition.

    if (p[i] >= 0) s += x[p[i]];         s += p[i] >= 0 ? x[p[i] >= 0 ? p[i] : 0] : 0
    if (p[i] >= 0) y[p[i]] += e;         y[p[i] >= 0 ? p[i] : 0] += p[i] >= 0 ? e : 0

What a `select` does not choose is read in a program nevertheless, so its subscripts have to be inside of the array:
they are those of the first element where C does not ask. What is outside where C asks is still found by the check.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from polyad.ir.expr import Const, Expr, Index, Indirect, Read, Select, map_expr
from polyad.ir.statement import Reduction
from polyad.ops import const, identity, select

__all__ = ["needed_places", "only_where"]


def only_where(condition: Expr, holds: bool, value: Expr) -> Expr:
    """The value with subscripts that are inside where it is not asked for: where a condition does (not) hold."""

    def inside(node: Expr) -> Expr:
        match node:
            case Read(_, Indirect(index, may), _):
                return replace(node, access=Indirect(tuple(_place(condition, holds, i) for i in index), may))
            case _:
                return node

    return map_expr(value, inside)


def needed_places(places: Sequence[Expr], term: Expr, reduction: Reduction | None) -> list[Expr]:
    """The subscripts of an element that is updated by a term, those of the first one where it stays as it is."""
    result = list(places)
    while isinstance(term, Select):
        if _is_nothing(term.b, reduction):
            holds, rest = True, term.a
        elif _is_nothing(term.a, reduction):
            holds, rest = False, term.b
        else:
            break
        result = [_place(term.cond, holds, place) for place in result]
        term = rest
    return result


def _is_nothing(term: Expr, reduction: Reduction | None) -> bool:
    return reduction is not None and isinstance(term, Const) and term.value == identity(reduction, term.dtype)


def _place(condition: Expr, holds: bool, place: Expr) -> Expr:
    if isinstance(place, Index | Const):
        return place
    first = const(0, place.dtype)
    return select(condition, place, first) if holds else select(condition, first, place)
