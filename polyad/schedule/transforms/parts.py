"""Sums in parts: the mark that makes threads sum up a loop part by part."""

from __future__ import annotations

from dataclasses import replace

from polyad.errors import ScheduleError
from polyad.schedule.transforms.nest import Dims, LoopName, NestLoop, at_loop
from polyad.schedule.tree.marks import PartsMark, SimdMark
from polyad.schedule.tree.nodes import Band, Mark, Node, walk

__all__ = ["parts"]


def parts(tree: Node, dims: Dims, band: LoopName) -> Node:
    """Mark an outermost loop that does nothing but reduce to run in parts, which are added up in order.

    Raises:
        ScheduleError: a loop stands around it, or it has a mark that `parts` cannot stand with.
    """

    def marked(loop: NestLoop) -> NestLoop:
        if loop.mark is not None and not isinstance(loop.mark, PartsMark | SimdMark):
            raise ScheduleError(f"{band} is marked '{loop.mark}'; take that away first, with unmark")
        return replace(loop, mark=PartsMark(simd=loop.mark in (SimdMark(), PartsMark(simd=True))))

    result = at_loop(tree, dims, band, marked)
    inside = (n for outer in walk(result) if isinstance(outer, Band) for n in walk(outer.child))
    if any(isinstance(n, Mark) and isinstance(n.kind, PartsMark) for n in inside):
        raise ScheduleError(f"{band} stands inside of another loop; interchange or distribute it outwards first")
    return result
