"""Lexicographic ranking: an order of execution for statements that need each other, a dimension at a time.

A dimension along which no need points forward settles those that point strictly backward, and the next dimension
settles the rest. It may be another one in each statement, and counted from another number:

    y_bar[a0] needs x_bar[t] with t = a0;    x_bar[t] needs y_bar[a0] with a0 = t + 1

So the rank of an instance is a dimension of its statement, upwards or downwards, plus a number: dimensions are those
of one name, or that of the first statement carried along needs to all others; numbers solve

    rank of later - rank of earlier >= 0, in all needs: shift[later] - shift[earlier] >= -(least difference of the two)

Source: R. Bellman, On a routing problem, 1958, for the numbers.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace

import islpy as isl

from polyad.ir.statement import Statement
from polyad.semantics.cycles import cyclic_components

__all__ = ["Need", "rank"]

_IN, _OUT = isl.dim_type.in_, isl.dim_type.out


@dataclass(frozen=True, slots=True, eq=False)
class Need:
    """Instances that must come after others.

    Attributes:
        later: the statement that needs.
        earlier: the statement that is needed.
        relation: { later[i] -> earlier[j] }.
    """

    later: Statement
    earlier: Statement
    relation: isl.Map


def rank(statements: Sequence[Statement], found: Sequence[Need]) -> list[tuple[list[Statement], list[Need]]]:
    """The groups of statements, with their needs, that lexicographic ranking cannot put in order."""
    unsettled: list[tuple[list[Statement], list[Need]]] = []
    todo = [(list(statements), list(found))]
    while todo:
        group, inside = todo.pop()
        for component in cyclic_components(group, [(n.later, n.earlier) for n in inside]):
            members = set(component)
            own = [n for n in inside if n.later in members and n.earlier in members]
            rest = _settle(component, own)
            if rest is None:
                unsettled.append((component, own))
            else:
                todo.append((component, rest))
    return unsettled


@dataclass(frozen=True, slots=True, eq=False)
class _Ranking:
    """Ranks of instances, those of statement s: sign * i[dims[s]] + shifts[s]."""

    sign: int
    dims: Mapping[Statement, int]
    shifts: Mapping[Statement, int]

    def equal(self, need: Need) -> isl.Map:
        """The pairs of a need whose ranks are equal."""
        space = isl.LocalSpace.from_space(need.relation.get_space())
        same = isl.Constraint.equality_alloc(space).set_constant_val(
            isl.Val(self.shifts[need.later] - self.shifts[need.earlier])
        )
        same = same.set_coefficient_val(_IN, self.dims[need.later], isl.Val(self.sign))
        same = same.set_coefficient_val(_OUT, self.dims[need.earlier], isl.Val(-self.sign))
        return need.relation.add_constraint(same)


def _settle(component: Sequence[Statement], own: Sequence[Need]) -> list[Need] | None:
    """Return the needs left after ranking by one dimension, None when no dimension makes progress."""
    for ranking in _rankings(component, own):
        same = [replace(n, relation=ranking.equal(n)) for n in own]
        if any(not n.relation.is_subset(s.relation) for n, s in zip(own, same, strict=True)):
            return [n for n in same if not n.relation.is_empty()]
    return None


def _rankings(component: Sequence[Statement], own: Sequence[Need]) -> Iterator[_Ranking]:
    """Those that no need is against."""
    shared = [d for d in component[0].dims if all(d in s.dims for s in component)]
    for dim in shared:
        dims = {s: s.dims.index(dim) for s in component}
        for sign in (1, -1):
            if all(_never_against(n.relation, dims[n.later], dims[n.earlier], sign) for n in own):
                yield _Ranking(sign, dims, dict.fromkeys(component, 0))
    first = min(component, key=lambda s: len(s.dims))
    for start in range(len(first.dims)):
        for sign in (1, -1):
            carried = _carried(component, own, first, start, sign)
            shifts = _shifts(component, own, carried, sign) if carried is not None else None
            if carried is not None and shifts is not None:
                yield _Ranking(sign, carried, shifts)


def _never_against(relation: isl.Map, i: int, j: int, sign: int) -> bool:
    """Whether later[i] >= earlier[j], or later[i] <= earlier[j] where ranks go downwards, throughout."""
    against = relation.order_lt if sign > 0 else relation.order_gt
    return bool(against(_IN, i, _OUT, j).is_empty())


def _carried(
    component: Sequence[Statement], own: Sequence[Need], first: Statement, start: int, sign: int
) -> dict[Statement, int] | None:
    """A dimension of each statement: that of the first, and of each other one that its needs agree with.

    None where one has none.
    """
    dims = {first: start}
    around: dict[Statement, list[Need]] = {s: [] for s in component}
    for need in own:
        around[need.later].append(need)
        if need.earlier is not need.later:
            around[need.earlier].append(need)
    reached = [first]
    for known in reached:
        for other in dict.fromkeys(s for n in around[known] for s in (n.later, n.earlier) if s not in dims):
            chosen = _dimension(other, around[other], dims, sign, dims[known])
            if chosen is None:
                return None
            dims[other] = chosen
            reached.append(other)
    return dims


def _dimension(
    statement: Statement, around: Sequence[Need], dims: Mapping[Statement, int], sign: int, wish: int
) -> int | None:
    """The dimension of a statement whose needs agree best with the dimensions that are known.

    Differences must not fall without end. Of several dimensions, one that differs by a number only comes first, then
    one that no need is against, then one at the same place.
    """
    marks = []
    for own in range(len(statement.dims)):
        constant, against = True, False
        for need in around:
            i = own if need.later is statement else dims.get(need.later)
            j = own if need.earlier is statement else dims.get(need.earlier)
            if i is None or j is None:
                continue
            least = _least(need.relation, i, j, sign)
            if least is None:
                break
            most = _least(need.relation, i, j, -sign)
            constant = constant and most is not None and most == -least
            against = against or least < 0
        else:
            marks.append((not constant, against, own != wish, own))
    return min(marks)[-1] if marks else None


def _shifts(
    component: Sequence[Statement], own: Sequence[Need], dims: Mapping[Statement, int], sign: int
) -> dict[Statement, int] | None:
    """The numbers to add to ranks, None where there are none: the needs of a cycle go backward in the end."""
    bounds = []
    for need in own:
        least = _least(need.relation, dims[need.later], dims[need.earlier], sign)
        if least is None:
            return None
        bounds.append((need.later, need.earlier, -least))
    shifts = dict.fromkeys(component, 0)
    for _ in range(len(component) + 1):
        done = True
        for later, earlier, bound in bounds:
            if shifts[later] < shifts[earlier] + bound:
                shifts[later], done = shifts[earlier] + bound, False
        if done:
            return shifts
    return None


def _least(relation: isl.Map, i: int, j: int, sign: int) -> int | None:
    """The least value of sign * (later[i] - earlier[j]), None where there is none."""
    pairs = relation.wrap()
    space = isl.LocalSpace.from_space(pairs.get_space())
    position = relation.dim(_IN) + j
    later, earlier = (isl.Aff.var_on_domain(space, isl.dim_type.set, p) for p in (i, position))
    least = pairs.min_val(later.sub(earlier) if sign > 0 else earlier.sub(later))
    return int(least.to_python()) if least.is_int() else None
