"""Vector loops: the mark that makes codegen emit a simd loop."""

from __future__ import annotations

from dataclasses import replace

from polyad.errors import ScheduleError
from polyad.schedule.transforms.nest import Dims, LoopName, Nest, at_band, check_innermost, with_loop
from polyad.schedule.tree.marks import ParallelMark, PartsMark, SimdMark
from polyad.schedule.tree.nodes import Node

__all__ = ["vectorize"]


def vectorize(tree: Node, dims: Dims, band: LoopName, dim: str | None = None) -> Node:
    """Mark the loop over `dim`, or over the band's own dimension, to run with vector instructions.

    Raises:
        ScheduleError: the loop is not innermost, or it runs in parallel.
    """
    chosen = band if dim is None else band._replace(dim=dim)

    def change(nest: Nest, index: int) -> Node:
        check_innermost(nest, index, chosen)
        loop = nest.loops[index]
        if isinstance(loop.mark, ParallelMark):
            raise ScheduleError(f"{chosen} runs in parallel; tile it and vectorise the loop in the tile")
        mark = PartsMark(simd=True) if isinstance(loop.mark, PartsMark) else SimdMark()
        return with_loop(nest, index, replace(loop, mark=mark))

    return at_band(tree, dims, chosen, change)
