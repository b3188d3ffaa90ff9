"""Unroll and jam: for i {S}  ->  for blocks of i, each statement for all iterations of the block at a time."""

from __future__ import annotations

from dataclasses import replace

from polyad.errors import ScheduleError
from polyad.schedule.transforms.nest import Dims, LoopName, NestLoop, at_loop
from polyad.schedule.transforms.unroll import check_copies
from polyad.schedule.tree.marks import JamMark, ParallelMark, ShareMark
from polyad.schedule.tree.nodes import Node

__all__ = ["jam"]


def jam(tree: Node, dims: Dims, band: LoopName, factor: int) -> Node:
    """Mark a loop to run `factor` iterations at a time, statement by statement; the rest of them one by one.

    The mark takes the place of any other.

    Raises:
        ScheduleError: the factor is not an integer from 2 to 64, or the loop runs on several threads.
    """
    check_copies(factor, "unrolled and jammed")

    def jammed(loop: NestLoop) -> NestLoop:
        if isinstance(loop.mark, ParallelMark | ShareMark):
            raise ScheduleError(f"{band} runs on several threads; split it and jam the loop in the block")
        return replace(loop, mark=JamMark(factor))

    return at_loop(tree, dims, band, jammed)
