"""Reversal: for t = 0 ... T - 1  ->  for t = T - 1 ... 0."""

from __future__ import annotations

from dataclasses import replace

from polyad.schedule.transforms.nest import Dims, LoopName, NestLoop, at_loop
from polyad.schedule.tree.nodes import Node

__all__ = ["reverse"]


def reverse(tree: Node, dims: Dims, band: LoopName) -> Node:
    """Run a loop backwards, for all statements in it: t becomes -t. Its mark stays.

    Raises:
        ScheduleError: there is no such loop.
    """

    def turned(loop: NestLoop) -> NestLoop:
        # What the loop carries points backwards now; only a loop that carries nothing can still change places.
        return replace(loop, function=loop.function.neg(), permutable=loop.permutable and loop.coincident)

    return at_loop(tree, dims, band, turned)
