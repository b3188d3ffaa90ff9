"""Marks taken away, of one loop or of all: what is left is the order."""

from __future__ import annotations

from dataclasses import replace

from polyad.schedule.transforms.nest import Dims, LoopName, at_loop
from polyad.schedule.tree.nodes import Mark, Node, map_nodes

__all__ = ["unmark"]


def unmark(tree: Node, dims: Dims, band: LoopName | None = None) -> Node:
    """Take the mark off a loop, or every mark off the tree when no band is given.

    Raises:
        ScheduleError: there is no such loop.
    """
    if band is None:
        return map_nodes(tree, lambda node: node.child if isinstance(node, Mark) else node)
    return at_loop(tree, dims, band, lambda loop: replace(loop, mark=None))
