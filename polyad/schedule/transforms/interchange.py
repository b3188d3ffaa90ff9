"""Interchange: for i, for j  ->  for j, for i."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from polyad.errors import ScheduleError
from polyad.schedule.transforms.nest import Dims, LoopName, Nest, at_band, check_name, find_loop, loops_over, rebuild
from polyad.schedule.tree.marks import Kind, PartsMark, PrefixMark, SimdMark
from polyad.schedule.tree.nodes import Band, Node, walk

__all__ = ["interchange"]


def interchange(tree: Node, dims: Dims, band: LoopName, order: Sequence[str]) -> Node:
    """Put the loops over the named dimensions of a statement in a new order, in the places that they hold together.

    Loops that are not named stay where they are. Marks go along with their loops; `simd` and `prefix` are dropped from
    a loop that is no longer innermost.

    Raises:
        ScheduleError: a dimension is unknown, named twice, or its loop is not in the nest.
    """
    if not isinstance(order, tuple | list):
        raise ScheduleError(f"an order is a list of dimensions, outermost first, such as ['j', 'i'], not {order!r:.60}")
    for dim in order:
        check_name(dims, band.statement, dim)
    if len(order) < 2 or len(set(order)) != len(order):
        raise ScheduleError(f"an interchange needs two different dimensions or more, not {list(order)}")

    def change(nest: Nest, index: int) -> Node:
        around = loops_over(nest, band, dims).index(index)  # in a tile, all are loops in it
        found = [find_loop(nest, LoopName(band.statement, dim, around), dims) for dim in order]
        missing = [dim for dim, i in zip(order, found, strict=True) if i is None]
        if missing:
            raise ScheduleError(
                f"the loop over {missing[0]} is not directly around or inside of {band}; distribute or fuse first"
            )
        chosen = [i for i in found if i is not None]
        if len(set(chosen)) != len(chosen):
            raise ScheduleError(f"{', '.join(order)} run in one skewed loop and cannot be interchanged")
        loops = list(nest.loops)
        for place, source in zip(sorted(chosen), chosen, strict=True):
            loops[place] = nest.loops[source]
        innermost = not any(isinstance(n, Band) for n in walk(nest.child))
        kept = [
            loop if innermost and i == len(loops) - 1 else replace(loop, mark=_outside(loop.mark))
            for i, loop in enumerate(loops)
        ]
        return rebuild(Nest(tuple(kept), nest.child))

    return at_band(tree, dims, band, change)


def _outside(mark: Kind | None) -> Kind | None:
    """Return the mark for a loop that is not innermost."""
    if isinstance(mark, PartsMark):
        return PartsMark()
    return None if isinstance(mark, SimdMark | PrefixMark) else mark
