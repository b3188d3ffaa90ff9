"""Regions: the mark that starts threads once around a sequential loop, for all parallel loops inside of it."""

from __future__ import annotations

from dataclasses import replace

from polyad.errors import ScheduleError
from polyad.schedule.transforms.nest import Dims, LoopName, NestLoop, at_loop
from polyad.schedule.tree.marks import ParallelMark, RegionMark, ShareMark
from polyad.schedule.tree.nodes import Mark, Node, walk

__all__ = ["region"]


def region(tree: Node, dims: Dims, band: LoopName) -> Node:
    """Mark a sequential loop around parallel ones to run in one region of threads, which share those.

    Raises:
        ScheduleError: the loop has another mark, no loop inside of it is parallel, or threads are there already.
    """

    def marked(loop: NestLoop) -> NestLoop:
        if loop.mark not in (None, RegionMark()):
            raise ScheduleError(f"{band} is marked '{loop.mark}'; take that away first, with unmark")
        return replace(loop, mark=RegionMark())

    result = at_loop(tree, dims, band, marked)
    for node in walk(result):
        if not isinstance(node, Mark):
            continue
        kinds = [inner.kind for inner in walk(node.child) if isinstance(inner, Mark)]
        if isinstance(node.kind, ParallelMark | ShareMark | RegionMark) and RegionMark() in kinds:
            raise ScheduleError(
                f"{band} stands inside of another loop that starts threads, or around one; regions do not nest"
            )
        if node.kind == RegionMark() and ParallelMark() not in kinds:
            raise ScheduleError(f"no loop inside of {band} is parallel; mark one with parallel first")
    return result
