"""Marks of launches in a schedule tree: each above the statements that one kernel runs, or several run together."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace

import islpy as isl

from polyad.schedule.tree.marks import LaunchMark, StayMark
from polyad.schedule.tree.nodes import Band, Mark, Node, Order
from polyad.schedule.tree.placement import statements_at

__all__ = ["Launched", "together", "with_launches"]


@dataclass(frozen=True, slots=True)
class Launched:
    """Statements that kernels run together; `over`: who runs each kernel, `stays`: the arrays on the chip."""

    names: frozenset[str]
    over: tuple[str, ...]
    stays: tuple[str, ...]


def with_launches(node: Node, launches: Sequence[Launched], domain: isl.UnionSet) -> Node | None:
    """The tree with marks of launches; None where it has no place for one of them."""
    left = {*launches}

    def own(names: Iterable[str]) -> Launched | None:
        """The launch of exactly these statements."""
        wanted = frozenset(names)
        return next((o for o in launches if o.names == wanted), None)

    def marked(node: Node, launch: Launched) -> Node:
        left.discard(launch)
        inside = Mark(StayMark(launch.stays), node) if launch.stays else node
        return Mark(LaunchMark(launch.over), inside)

    def visit(node: Node, domain: isl.UnionSet) -> Node:
        whole = own(statements_at(domain))
        if whole is not None:
            return marked(node, whole)
        match node:
            case Band(child=child) | Mark(child=child):
                return replace(node, child=visit(child, domain))
            case Order(children_, True):
                return Order(tuple(parts(children_, domain)))
            case _:
                return node

    def parts(
        children_: Sequence[tuple[isl.UnionSet, Node]], domain: isl.UnionSet
    ) -> Iterator[tuple[isl.UnionSet, Node]]:
        """The children of a sequence, those of one launch together."""
        names = [frozenset(statements_at(domain.intersect(part))) for part, _ in children_]
        start = 0
        while start < len(children_):
            launch = next(o for o in (*launches, None) if o is None or names[start] <= o.names)
            end = start + 1
            while launch is not None and end < len(names) and names[end] <= launch.names:
                end += 1
            group = children_[start:end]
            if launch is not None and len(group) > 1 and launch.names == frozenset().union(*names[start:end]):
                yield together([part for part, _ in group]), marked(Order(tuple(group)), launch)
            else:
                yield from ((part, visit(child, domain.intersect(part))) for part, child in group)
            start = end

    found = visit(node, domain)
    return None if left else found


def together(parts: Sequence[isl.UnionSet]) -> isl.UnionSet:
    """The union of sets."""
    whole = parts[0]
    for part in parts[1:]:
        whole = whole.union(part)
    return whole
