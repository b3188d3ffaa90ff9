"""Reordering: A; B; C  ->  B; A; C."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from polyad.errors import ScheduleError
from polyad.schedule.transforms.nest import Dims, check_statement, holds
from polyad.schedule.tree.nodes import Node, Order, map_nodes

__all__ = ["reorder"]


def reorder(tree: Node, dims: Dims, order: Sequence[str]) -> Node:
    """Put the children of a sequence that hold the named statements in a new order, in the places they hold together.

    There is one sequence in which the statements lie in different children, so it need not be named; the copies of an
    unrolled body have one each, and all are changed. Children that are not named stay where they are.

    Raises:
        ScheduleError: a statement is unknown or named twice, or they do not lie in different children of one sequence.
    """
    if not isinstance(order, tuple | list) or not all(isinstance(name, str) for name in order):
        raise ScheduleError(f"an order is a list of statements, first to last, such as ['R', 'S'], not {order!r:.60}")
    for name in order:
        check_statement(dims, name)
    if len(order) < 2 or len(set(order)) != len(order):
        raise ScheduleError(f"an order needs two different statements or more, not {list(order)}")
    found: list[Order] = []

    def change(node: Node) -> Node:
        places = _places(node, order)
        if not isinstance(node, Order) or places is None:
            return node
        children = list(node.children)
        for place, source in zip(sorted(places), places, strict=True):
            children[place] = node.children[source]
        found.append(replace(node, children=tuple(children)))
        return found[-1]

    changed = map_nodes(tree, change)
    if not found:
        raise ScheduleError(
            f"{', '.join(order)} do not lie in different children of one sequence; "
            "name one statement of each child, and distribute loops that hold several"
        )
    return changed


def _places(node: Node, order: Sequence[str]) -> list[int] | None:
    """The child of each statement, where each is in one of its own."""
    if not isinstance(node, Order) or not node.ordered:
        return None
    places = []
    for name in order:
        inside = [i for i, (part, _) in enumerate(node.children) if holds(part, name)]
        if len(inside) != 1 or inside[0] in places:
            return None
        places += inside
    return places
