"""Reversal: for t = 0 ... T - 1  ->  for t = T - 1 ... 0."""

from __future__ import annotations

from dataclasses import replace

from polyad.schedule.transforms.nest import Dims, LoopName, Nest, at_band, rebuild
from polyad.schedule.tree import Node

__all__ = ["reverse"]


def reverse(tree: Node, dims: Dims, band: LoopName) -> Node:
    """Run a loop backwards, for all statements in it: t becomes -t. Its mark stays.

    Raises:
        ScheduleError: there is no such loop.
    """

    def change(nest: Nest, index: int) -> Node:
        loop = nest.loops[index]
        # What the loop carries points backwards now; only a loop that carries nothing can still change places.
        turned = replace(loop, function=loop.function.neg(), permutable=loop.permutable and loop.coincident)
        return rebuild(Nest((*nest.loops[:index], turned, *nest.loops[index + 1 :]), nest.child))

    return at_band(tree, dims, band, change)
