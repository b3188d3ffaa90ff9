"""Splitting, or strip-mining: for i  ->  for blocks of i, for i in block."""

from __future__ import annotations

from polyad.errors import ScheduleError
from polyad.schedule.transforms.nest import Dims, LoopName
from polyad.schedule.transforms.tile import tile
from polyad.schedule.tree.nodes import Node

__all__ = ["split"]


def split(tree: Node, dims: Dims, band: LoopName, factor: int) -> Node:
    """Cut one loop into blocks of `factor` iterations, a tile with one size: the order stays what it was.

    The loop over blocks runs on threads where the loop did (`parallel`, `share`, `parts`, `region`); other marks stay
    with the inner loop.

    Raises:
        ScheduleError: the factor is not a positive integer.
    """
    if type(factor) is not int or factor < 1:
        raise ScheduleError(f"a loop is split into blocks of a positive number of iterations, not {factor!r:.60}")
    return tile(tree, dims, band, [factor])
