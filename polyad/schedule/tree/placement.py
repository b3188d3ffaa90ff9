"""Marks of a GPU in a schedule tree: taken out, and what they say of meetings.

    launch teams: team for i                  parallel for i
    └─ for t                                  └─ for t
       ├─ threads for j, then meet      ->       ├─ parallel for j
       │  └─ z[t, i, j]                          │  └─ z[t, i, j]
       └─ threads for j, then meet               └─ parallel for j
          └─ h[t, i, j]                             └─ h[t, i, j]

Loops of a GPU come from the tree without these marks, so that a tree with them means the same launches. Meetings are
kept beside it: threads meet where the tree says so, and wherever memory asks for it.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace

import islpy as isl

from polyad import islx
from polyad.schedule.tree.marks import Concurrent, Meeting, ParallelMark, PlacedLoop, Placing
from polyad.schedule.tree.nodes import Band, Mark, Node, Order, walk

__all__ = ["MeetingPlace", "is_placed", "meetings_of", "statements_at", "without_placement"]


@dataclass(frozen=True, slots=True)
class MeetingPlace:
    """Threads meet behind some statements.

    Attributes:
        names: of the statements.
        loops: around, that all threads walk through.
    """

    names: frozenset[str]
    loops: int


def is_placed(tree: Node) -> bool:
    """Whether a mark of the tree says something of a GPU."""
    return any(isinstance(n, Mark) and isinstance(n.kind, Placing) for n in walk(tree))


def without_placement(tree: Node) -> Node:
    """The tree whose marks say nothing of a GPU: its loops are parallel, or not."""
    match tree:
        case Mark(kind, child):
            inside = without_placement(child)
            if isinstance(kind, PlacedLoop):
                return Mark(ParallelMark(), inside)
            return inside if isinstance(kind, Placing) else replace(tree, child=inside)
        case Band(child=child):
            return replace(tree, child=without_placement(child))
        case Order(children, ordered):
            return Order(tuple(part for child in children for part in _spread(*child)), ordered)
        case _:
            return tree


def _spread(inside: isl.UnionSet, node: Node) -> Sequence[tuple[isl.UnionSet, Node]]:
    """A child of a sequence; in the place of several under one mark of a GPU, these."""
    below = node
    while isinstance(below, Mark) and isinstance(below.kind, Placing):
        below = below.child
    if below is node or not isinstance(below, Order) or not below.ordered:
        return [(inside, without_placement(node))]
    own = ((part if part.is_subset(inside) else part.intersect(inside), child) for part, child in below.children)
    return [found for part, child in own for found in _spread(part, child)]


def meetings_of(domain: isl.UnionSet, tree: Node) -> frozenset[MeetingPlace]:
    """The places behind which threads meet, one for each mark that says so."""
    return frozenset(_meetings(domain, tree, 0)) if is_placed(tree) else frozenset()


def _meetings(domain: isl.UnionSet, tree: Node, loops: int) -> Iterator[MeetingPlace]:
    match tree:
        case Mark(kind, child):
            if isinstance(kind, Meeting):
                yield MeetingPlace(frozenset(statements_at(domain)), loops)
            # The loops of a grid, of teams, and of threads are not those that all threads walk through.
            yield from _meetings(domain, child, loops - isinstance(kind, Concurrent))
        case Band(child=child):
            yield from _meetings(domain, child, loops + tree.size)
        case Order(children):
            for part, child in children:
                yield from _meetings(domain.intersect(part), child, loops)
        case _:
            pass


def statements_at(instances: isl.UnionSet) -> list[str]:
    """The names of the statements in a union set."""
    return [s.get_tuple_name() for s in islx.sets(instances)]
