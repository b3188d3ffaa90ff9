"""Prefix scans: the mark that makes a recurrence that is linear in one number run in blocks of steps."""

from __future__ import annotations

from dataclasses import replace

from polyad.errors import ScheduleError
from polyad.machine import MACHINE
from polyad.schedule.transforms.nest import Dims, LoopName, Nest, at_band, check_innermost, with_loop
from polyad.schedule.tree.marks import PrefixMark, in_threads
from polyad.schedule.tree.nodes import Node

__all__ = ["prefix"]


def prefix(tree: Node, dims: Dims, band: LoopName, steps: int = MACHINE.scan_steps) -> Node:
    """Mark an innermost loop to run as prefix scans between vector loops, in blocks of `steps` iterations at most.

    Raises:
        ScheduleError: the loop is not innermost, or runs on several threads; that is no number of steps.
    """
    if type(steps) is not int or steps < 1:
        raise ScheduleError(f"a prefix scan runs in blocks of a number of steps, such as 256, not {steps!r:.60}")

    def change(nest: Nest, index: int) -> Node:
        check_innermost(nest, index, band)
        if in_threads(nest.loops[index].mark) is not None:
            raise ScheduleError(f"{band} runs on several threads; split it and scan the loop in the block")
        return with_loop(nest, index, replace(nest.loops[index], mark=PrefixMark(steps)))

    return at_band(tree, dims, band, change)
