"""Skewing: for i, for j  ->  for i, for j + factor * i."""

from __future__ import annotations

from dataclasses import replace

import islpy as isl

from polyad.errors import ScheduleError
from polyad.schedule.transforms.nest import Dims, LoopName, Nest, at_band, check_name, find_loop, loops_over, with_loop
from polyad.schedule.tree.nodes import Node

__all__ = ["skew"]


def skew(tree: Node, dims: Dims, band: LoopName, dim: str, by: str, factor: int = 1) -> Node:
    """Replace the loop over `dim` by one over dim + factor * by, for all statements of the nest.

    Raises:
        ScheduleError: the two are not two loops of one nest, or the factor is not a non-zero integer.
    """
    check_name(dims, band.statement, dim)
    check_name(dims, band.statement, by)
    if type(factor) is not int or factor == 0:
        raise ScheduleError(f"the factor of a skew must be a non-zero integer, not {factor!r}")

    def change(nest: Nest, index: int) -> Node:
        around = loops_over(nest, band, dims).index(index)  # in a tile, both are loops in it
        moved, along = (find_loop(nest, LoopName(band.statement, d, around), dims) for d in (dim, by))
        if moved is None or along is None or moved == along:
            raise ScheduleError(
                f"{dim} and {by} of {band.statement} must be two loops directly inside of each other, at {band.dim}"
            )
        loop = nest.loops[moved]
        function = loop.function.add(nest.loops[along].function.scale_val(isl.Val(factor)))
        # A skewed loop runs through other instances: what was proved of the loop before no longer holds.
        skewed = replace(loop, function=function, coincident=False, mark=None)
        return with_loop(nest, moved, skewed)

    return at_band(tree, dims, band, change)
