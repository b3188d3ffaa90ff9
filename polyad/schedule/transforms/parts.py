"""Sums in parts: the mark that makes threads sum up a loop part by part."""

from __future__ import annotations

from dataclasses import replace

from polyad.errors import ScheduleError
from polyad.schedule.marks import words
from polyad.schedule.transforms.nest import Dims, LoopName, Nest, at_band, rebuild
from polyad.schedule.tree import Band, Mark, Node, walk

__all__ = ["parts"]


def parts(tree: Node, dims: Dims, band: LoopName) -> Node:
    """Mark an outermost loop that does nothing but reduce to run in parts, which are added up in order.

    Raises:
        ScheduleError: a loop stands around it, or it has a mark that `parts` cannot stand with.
    """

    def change(nest: Nest, index: int) -> Node:
        loop = nest.loops[index]
        if loop.mark not in ("", "simd", "parts", "parts simd"):
            raise ScheduleError(f"{band} is marked {loop.mark!r}; take that away first, with unmark")
        marked = replace(loop, mark="parts simd" if "simd" in loop.mark else "parts")
        return rebuild(Nest((*nest.loops[:index], marked, *nest.loops[index + 1 :]), nest.child))

    result = at_band(tree, dims, band, change)
    inside = (n for outer in walk(result) if isinstance(outer, Band) for n in walk(outer.child))
    if any(isinstance(n, Mark) and "parts" in words(n.name) for n in inside):
        raise ScheduleError(f"{band} stands inside of another loop; interchange or distribute it outwards first")
    return result
