"""May an array element be loaded and stored in every iteration of some loops, also where nothing computes it?"""

from __future__ import annotations

from collections.abc import Sequence

import islpy as isl

from polyad import islx
from polyad.codegen.loops.how import is_concurrent
from polyad.codegen.loops.loop_values import bounds
from polyad.codegen.loops.nodes import Cell, Loop, Share
from polyad.codegen.loops.statement_accesses import Touches, cell_of
from polyad.codegen.loops.traversal import instances, nodes
from polyad.codegen.storage.iteration_sets import Around, declared_by, iterations
from polyad.ir.affine import Affine
from polyad.ir.array import Array

__all__ = ["always_inside", "owned"]


def always_inside(cell: Cell, array: Array, around: Around, context: isl.Set, params: tuple[str, ...]) -> bool:
    """True when the index lies inside of the array for all values of the iterators and sizes.

    Args:
        cell: the element.
        array: its array.
        around: the loops and shares around, and guards whose conditions hold.
        context: what is assumed of the sizes.
        params: the sizes.
    """
    dims = declared_by(around)
    if any(not i.names() <= {*dims, *params} for i in cell.index):
        return False
    reached = iterations(around, context, params)
    space, where = islx.space(params, "", dims), islx.positions(params, dims)
    index = islx.multi_aff(space, array.name, [i.to_aff(space, where) for i in cell.index])
    return bool(reached.points.apply(index.as_map()).is_subset(array.domain(params)))


def owned(cell: Cell, around: Sequence[Loop | Share], touches: Touches) -> bool:
    """True when no two concurrent iterations of the loops touch one element of the cell's array.

    Storing back what was loaded is harmless in one thread; another thread may have changed the element in between.
    """
    return all(
        _separates_parts(loop, cell, touches) if isinstance(loop, Share) else _separates(loop, cell, touches)
        for loop in around
        if isinstance(loop, Share) or is_concurrent(loop.how)
    )


def _separates_parts(share: Share, cell: Cell, touches: Touches) -> bool:
    """Whether some index is the shared loop plus a constant, the same in all accesses to the array inside."""
    found: list[list[Affine | None]] = []
    for instance in instances(share):
        for touch in touches[instance.statement]:
            if touch.array != cell.array:
                continue
            row = instance.args[touch.statement.dims.index(share.rows[instance.statement])]
            index = cell_of(touch, instance)
            if index is None:
                return False
            found.append([i - row if (i - row).is_constant else None for i in index])
    return any(all(f[d] is not None and f[d] == found[0][d] for f in found) for d in range(len(cell.index)))


def _separates(loop: Loop, cell: Cell, touches: Touches) -> bool:
    """Whether some index tells the iterations of a loop apart, in all accesses to the array inside.

    It is the loop's iterator plus a constant, or, of a loop over blocks of rows, the iterator of a loop over the rows.
    """
    rows = {n.iterator for n in nodes(loop.body) if isinstance(n, Loop) and _within_block(n, loop)}
    if rows and any(
        all(_is_one_of(c, d, rows) for c in _cells(loop, cell.array, touches)) for d in range(len(cell.index))
    ):
        return True
    for d, index in enumerate(cell.index):
        offset = index - Affine.of(loop.iterator)
        if not offset.is_constant:
            continue
        if all(c is not None and c[d] == index for c in _cells(loop, cell.array, touches)):
            return True
    return False


def _cells(loop: Loop, array: str, touches: Touches) -> list[tuple[Affine, ...] | None]:
    return [cell_of(t, i) for i in instances(loop) for t in touches[i.statement] if t.array == array]


def _is_one_of(cell: tuple[Affine, ...] | None, d: int, names: set[str]) -> bool:
    return cell is not None and any(cell[d] == Affine.of(n) for n in names)


def _within_block(rows: Loop, blocks: Loop) -> bool:
    """Whether the values of a loop lie from the iterator of a loop over blocks on, and before its next value."""
    start = Affine.of(blocks.iterator)
    if rows.first != start or rows.step < 0 or blocks.step < 0:
        return False
    ends = [bound - start for bound in bounds(rows.last, "min") if bound is not None]
    return any(e.is_constant and e.constant < blocks.step for e in ends)
