"""Marks taken away, of one loop or of all: what is left is the order."""

from __future__ import annotations

from dataclasses import replace

from polyad.schedule.transforms.nest import Dims, LoopName, Nest, at_band, rebuild
from polyad.schedule.tree import Mark, Node, map_nodes

__all__ = ["unmark"]


def unmark(tree: Node, dims: Dims, band: LoopName | None = None) -> Node:
    """Take the mark off a loop, or every mark off the tree when no band is given.

    Raises:
        ScheduleError: there is no such loop.
    """
    if band is None:
        return map_nodes(tree, lambda node: node.child if isinstance(node, Mark) else node)

    def change(nest: Nest, index: int) -> Node:
        plain = replace(nest.loops[index], mark="")
        return rebuild(Nest((*nest.loops[:index], plain, *nest.loops[index + 1 :]), nest.child))

    return at_band(tree, dims, band, change)
