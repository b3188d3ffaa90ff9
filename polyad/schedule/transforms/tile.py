"""Tiling: for i, for j  ->  for tiles of i, for tiles of j, for i in tile, for j in tile."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from polyad.errors import ScheduleError
from polyad.schedule.transforms.nest import Dims, LoopName, Nest, at_band, blocks, rebuild
from polyad.schedule.tree.marks import in_one_thread
from polyad.schedule.tree.nodes import Node

__all__ = ["tile"]


def tile(tree: Node, dims: Dims, band: LoopName, sizes: Sequence[int]) -> Node:
    """Cut the loops from `band` inwards into tiles, one for each size.

    A loop over i becomes a loop over the first iteration of each tile, size * floor(i / size), and inside of all tile
    loops one over i. The marks `parallel`, `share`, `parts` and `region` go to the loop over tiles, others stay with
    the inner loop.

    Raises:
        ScheduleError: a size is not a positive integer, or there are more sizes than loops.
    """
    if not isinstance(sizes, tuple | list):
        raise ScheduleError(f"tile sizes are a list, one for each loop, such as [32, 8], not {sizes!r:.60}")
    if not sizes or any(type(s) is not int or s < 1 for s in sizes):
        raise ScheduleError(f"tile sizes must be positive integers, one for each loop, not {list(sizes)}")

    def change(nest: Nest, first: int) -> Node:
        chosen = nest.loops[first : first + len(sizes)]
        if len(chosen) < len(sizes):
            raise ScheduleError(
                f"{len(sizes)} tile sizes were given, but from {band.dim} inwards only {len(chosen)} loops stand "
                f"directly inside of each other around {band.statement}"
            )
        tiles = tuple(blocks(loop, size) for loop, size in zip(chosen, sizes, strict=True))
        points = tuple(replace(loop, mark=in_one_thread(loop.mark)) for loop in chosen)
        return rebuild(Nest((*nest.loops[:first], *tiles, *points, *nest.loops[first + len(sizes) :]), nest.child))

    return at_band(tree, dims, band, change)
