"""Arrays of which each thread needs its own part only: what lives within one iteration of a parallel loop.

    for i, in parallel:                        for i, in parallel:
      s[i, j, k] = ...                           s = the copy of this thread
      p[i, j, k] = ... s[i, j, k] ...    ->      s[j, k] = ...
                                                 p[j, k] = ... s[j, k] ...

Every access has i + c along one and the same dimension, so no two iterations touch the same element, and nothing
outside of the loop does. There are as many copies as threads run, and no more than iterations; they stay in cache.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from polyad.codegen.loops.contractions import trip_count
from polyad.codegen.loops.how import Parallel, Serial
from polyad.codegen.loops.nodes import Block, Instance, Load, Loop, Pack, Store
from polyad.codegen.loops.statement_accesses import Touches, cell_of
from polyad.codegen.loops.traversal import nodes
from polyad.codegen.loops.vector_loops import is_smooth
from polyad.ir.affine import Affine

__all__ = ["Private", "private"]

Index = tuple[Affine, ...]


@dataclass(frozen=True, slots=True)
class Private:
    """An array with a copy for each thread.

    Attributes:
        nest: the position of the parallel loop among the top-level nests.
        axis: the dimension that the loop fixes.
        iteration: which iteration one is, in terms of its iterator: 0, 1, ...
        count: the number of iterations.
    """

    nest: int
    axis: int
    iteration: Affine
    count: Affine


def private(
    root: Block, arrays: Sequence[str], lives: Mapping[str, Sequence[int]], touches: Touches
) -> dict[str, Private]:
    """Return the arrays that get a copy for each thread.

    Args:
        root: the loops of the program.
        arrays: the temporaries in memory that may be stored in another way.
        lives: the top-level nests that use an array.
        touches: the accesses of all statements.
    """
    result = {}
    for position, nest in enumerate(root.children):
        inside = [a for a in arrays if list(lives.get(a, ())) == [position]]
        if not inside or not isinstance(nest, Loop):
            continue
        # In vector lanes several iterations are under way at a time.
        if nest.how != Parallel(Serial()) or nest.step != 1 or is_smooth(nest, touches):
            continue
        count = trip_count(nest)
        if not isinstance(nest.first, Affine) or not isinstance(count, Affine):
            continue
        cells = _cells(nest, inside, touches)
        for array in inside:
            axis = _axis(cells[array], nest.iterator)
            if axis is not None:
                result[array] = Private(position, axis, Affine.of(nest.iterator) - nest.first, count)
    return result


def _cells(nest: Loop, arrays: Sequence[str], touches: Touches) -> dict[str, list[Index | None]]:
    """The elements of arrays that a nest touches in memory; None stands for one that depends on data."""
    found: dict[str, list[Index | None]] = {a: [] for a in arrays}
    for node in nodes(nest):
        match node:
            case Instance():
                for touch in touches[node.statement]:
                    if touch.array in found and touch.array not in node.locals:
                        found[touch.array].append(cell_of(touch, node))
            case Load(cell=cell) | Store(cell=cell) if cell.array in found:
                found[cell.array].append(cell.index)
            case Pack(array=array) if array in found:
                found[array].append(None)
            case _:
                pass
    return found


def _axis(cells: Sequence[Index | None], iterator: str) -> int | None:
    """The dimension along which every access has iterator + c, with one c."""
    if not cells or any(c is None for c in cells):
        return None
    known = [c for c in cells if c is not None]
    for axis in range(len(known[0])) if len(known[0]) > 1 else ():
        offsets = {c[axis] - Affine.of(iterator) for c in known}
        if len(offsets) == 1 and offsets.pop().is_constant:
            return axis
    return None
