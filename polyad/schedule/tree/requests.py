"""Marks that ask: what loops do not do is taken out of the schedule, so that it says what runs (decision 27)."""

from __future__ import annotations

from collections.abc import Set
from itertools import count

from polyad.schedule.tree.marks import Asking, PartsMark, SimdMark
from polyad.schedule.tree.nodes import Mark, Node, map_nodes

__all__ = ["without_requests"]


def without_requests(tree: Node, numbers: Set[int | None]) -> Node:
    """The tree without some of the marks that ask; a part of a sum that ran in vector lanes still does.

    Args:
        tree: a schedule tree.
        numbers: of the marks; all marks count, from the inside out, children of a sequence in order, from 0.
    """
    number = count()

    def one(node: Node) -> Node:
        if not isinstance(node, Mark):
            return node
        here = next(number)
        if here not in numbers or not isinstance(node.kind, Asking):
            return node
        return Mark(SimdMark(), node.child) if node.kind == PartsMark(simd=True) else node.child

    return map_nodes(tree, one)
