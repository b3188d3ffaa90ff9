"""Parallel loops: the mark that makes codegen emit an OpenMP loop."""

from __future__ import annotations

from dataclasses import replace

from polyad.errors import ScheduleError
from polyad.schedule.transforms.nest import Dims, LoopName, Nest, at_band, with_loop
from polyad.schedule.tree.marks import ParallelMark
from polyad.schedule.tree.nodes import Mark, Node, walk

__all__ = ["parallel"]


def parallel(tree: Node, dims: Dims, band: LoopName, dim: str | None = None) -> Node:
    """Mark the loop over `dim`, or over the band's own dimension, to run in parallel.

    Raises:
        ScheduleError: a loop around or inside of it is parallel already.
    """

    def change(nest: Nest, index: int) -> Node:
        others = [loop for i, loop in enumerate(nest.loops) if i != index and isinstance(loop.mark, ParallelMark)]
        if others or _has_parallel(nest.child):
            raise ScheduleError(f"a loop around or inside of {chosen} is parallel already; parallel loops do not nest")
        return with_loop(nest, index, replace(nest.loops[index], mark=ParallelMark()))

    chosen = band if dim is None else band._replace(dim=dim)
    result = at_band(tree, dims, chosen, change)
    if _nested(result):
        raise ScheduleError(f"{chosen} stands inside of a parallel loop; parallel loops do not nest")
    return result


def _has_parallel(tree: Node) -> bool:
    return any(isinstance(n, Mark) and isinstance(n.kind, ParallelMark) for n in walk(tree))


def _nested(tree: Node) -> bool:
    """Whether a parallel loop stands inside of another one."""
    return any(isinstance(n, Mark) and isinstance(n.kind, ParallelMark) and _has_parallel(n.child) for n in walk(tree))
