"""The order of touches: which of two elements may have been touched when the other one is, part by part of the text.

    NB = { e -> e' : some touch of e does not run before some touch of e' }

It is not asked of each two touches. Of a block, all that a child touches comes after all that earlier children do; of a
loop, all that an iteration touches after all that earlier iterations do, and, where iterations have no order, the other
way round; within one child or iteration the same is asked again. So each part of the text is asked once about what it
touches in all, and pieces of an array that are touched side by side are one set by then.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass

import islpy as isl

from polyad.codegen.loops.how import InRegion, Serial
from polyad.codegen.loops.nodes import Loop
from polyad.codegen.storage.moments import Branch, Moment, Position

__all__ = ["Meeting", "not_before"]

Meeting = Mapping[tuple[str, str], isl.Map]
"""Pairs of arrays -> { x[e] -> y[e'] } that are in question."""

Touched = dict[str, isl.Map]  # array -> { [iterators of the loops around] -> a[e] }


@dataclass(frozen=True, slots=True, eq=False)
class _Part:
    """A part of the text.

    Attributes:
        depth: how many loops are around.
        touched: what it touches in all.
        loop: it, where the part is a loop; its body is the one part inside.
        inside: the parts in it, those of a block in the order in which they run.
        before: of a block, what is touched before each of these.
        node: the moments of one node, where the part is one.
    """

    depth: int
    touched: Touched
    loop: Loop | None = None
    inside: tuple[_Part, ...] = ()
    before: tuple[Touched, ...] = ()
    node: tuple[Moment, ...] = ()


def not_before(moments: Sequence[Moment], meeting: Meeting) -> Iterator[tuple[tuple[str, str], isl.Map]]:
    """NB of the elements that meet, in pieces that are not empty: those between large parts of the text first.

    Args:
        moments: when elements are touched.
        meeting: the elements that are in question.

    Yields:
        (x, y), { x[e] -> y[e'] }.
    """
    waiting = deque([_part(moments, 0, 0)] if moments else [])
    while waiting:
        part = waiting.popleft()
        for pair, found in _between(part, meeting):
            piece = found.intersect(meeting[pair])
            if not piece.is_empty():
                yield pair, piece
        waiting += part.inside


def _part(moments: Sequence[Moment], level: int, depth: int) -> _Part:
    """The part of the text that moments share, which are on one path up to a level."""
    if level == len(moments[0].path):
        own = {m.array: isl.Map.empty(_around(m.elements, depth).get_space()) for m in moments}
        for m in moments:
            own[m.array] = own[m.array].union(_around(m.elements, depth))
        return _Part(depth, own, node=tuple(moments))
    start = moments[0].path[level]
    if isinstance(start, Loop):
        body = _part(moments, level + 1, depth + 1)
        return _Part(depth, {a: _around(t, depth) for a, t in body.touched.items()}, start, (body,))
    groups: dict[int, list[Moment]] = {}
    for m in moments:
        at = m.path[level]
        assert not isinstance(at, Loop), "paths part in blocks and guards only"
        groups.setdefault(at.number if isinstance(at, Position) else int(at.taken), []).append(m)
    inside = tuple(_part(groups[number], level + 1, depth) for number in sorted(groups))
    if len(inside) == 1:
        return inside[0]
    touched: Touched = {}
    before = []
    for part in inside:
        before.append(touched)
        touched = _both(touched, part.touched)
    return _Part(depth, touched, inside=inside, before=() if isinstance(start, Branch) else tuple(before))


def _around(touched: isl.Map, depth: int) -> isl.Map:
    """{ [iterators] -> a[e] } without those of inner loops."""
    more = touched.dim(isl.dim_type.in_) - depth
    return touched.project_out(isl.dim_type.in_, depth, more).coalesce() if more else touched


def _both(some: Touched, more: Touched) -> Touched:
    return some | {a: some[a].union(elements).coalesce() if a in some else elements for a, elements in more.items()}


def _between(part: _Part, meeting: Meeting) -> Iterator[tuple[tuple[str, str], isl.Map]]:
    """The additions of a part of the text to NB, between its parts, its iterations or its accesses."""
    if part.loop is not None:
        yield from _between_iterations(part.loop, part.inside[0], meeting)
    for child, before in zip(part.inside, part.before, strict=False):
        for x, late in child.touched.items():
            for y, early in before.items():
                if (x, y) in meeting:
                    yield (x, y), late.reverse().apply_range(early)
    for one in part.node:
        for other in part.node:
            # One node: a statement reads before it writes, what the macro-kernel does has no order.
            if (one.array, other.array) in meeting and (one.whole or (one.kind, other.kind) != ("read", "write")):
                mine, theirs = (_around(m.elements, part.depth) for m in (one, other))
                yield (one.array, other.array), mine.reverse().apply_range(theirs)


def _between_iterations(loop: Loop, body: _Part, meeting: Meeting) -> Iterator[tuple[tuple[str, str], isl.Map]]:
    """The touches of an iteration do not come before those of earlier ones, nor those of any where none is earlier."""
    signs = (-1,) if isinstance(loop.how, Serial | InRegion) else (-1, 1)
    forward = 1 if loop.step > 0 else -1
    orders: list[isl.Map] = []
    for x, mine in body.touched.items():
        for y, theirs in body.touched.items():
            if (x, y) in meeting:
                orders = orders or [_other(mine, body.depth, sign * forward) for sign in signs]
                for order in orders:
                    yield (x, y), mine.reverse().apply_range(order).apply_range(theirs)


def _other(touched: isl.Map, depth: int, sign: int) -> isl.Map:
    """{ [i..., k] -> [i..., k'] : sign * (k' - k) > 0 }."""
    iterators = touched.get_space().domain()
    same = isl.Map.universe(isl.Space.map_from_domain_and_range(iterators, iterators))
    for d in range(depth - 1):
        same = same.equate(isl.dim_type.in_, d, isl.dim_type.out, d)
    constraint = isl.Constraint.alloc_inequality(isl.LocalSpace.from_space(same.get_space()))
    constraint = constraint.set_coefficient_val(isl.dim_type.out, depth - 1, isl.Val(sign))
    constraint = constraint.set_coefficient_val(isl.dim_type.in_, depth - 1, isl.Val(-sign))
    return same.add_constraint(constraint.set_constant_val(isl.Val(-1)))
