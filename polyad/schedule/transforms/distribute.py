"""Distribution: for i {A; B}  ->  for i {A}; for i {B}."""

from __future__ import annotations

from dataclasses import replace

import islpy as isl

from polyad.errors import ScheduleError
from polyad.schedule.transforms.nest import Dims, LoopName, Nest, NestLoop, at_band, rebuild
from polyad.schedule.tree.nodes import Node, Order, map_nodes

__all__ = ["distribute"]


def distribute(tree: Node, dims: Dims, band: LoopName) -> Node:
    """Give every child of the sequence inside of a nest its own loops, from `band` inwards.

    Raises:
        ScheduleError: there is no sequence inside of the nest.
    """

    def change(nest: Nest, index: int) -> Node:
        if not isinstance(nest.child, Order) or len(nest.child.children) < 2:
            raise ScheduleError(f"there is nothing to distribute: inside of {band} stands no sequence")
        parts = tuple(
            (part, rebuild(Nest(tuple(_only(loop, part) for loop in nest.loops[index:]), child)))
            for part, child in nest.child.children
        )
        return rebuild(Nest(nest.loops[:index], replace(nest.child, children=parts)))

    return map_nodes(at_band(tree, dims, band, change), _flat)


def _only(loop: NestLoop, part: isl.UnionSet) -> NestLoop:
    """The loop for the statements of one child."""
    return replace(loop, function=loop.function.intersect_domain(part).gist(part))


def _flat(node: Node) -> Node:
    """A sequence directly inside of a sequence becomes part of it."""
    if not isinstance(node, Order) or not node.ordered:
        return node
    children: list[tuple[isl.UnionSet, Node]] = []
    for part, child in node.children:
        inside = child.children if isinstance(child, Order) and child.ordered else ()
        children += [(part.intersect(p), c) for p, c in inside] or [(part, child)]
    return replace(node, children=tuple(children))
