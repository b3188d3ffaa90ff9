"""May an array element be loaded and stored in every iteration of some loops, also where nothing computes it?"""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import islpy as isl

from polyad import islx
from polyad.codegen.loop_values import Extreme, Value
from polyad.codegen.loops import Cell, Loop, instances
from polyad.codegen.statement_accesses import Touch, cell_of
from polyad.ir.affine import Affine
from polyad.ir.array import Array

__all__ = ["always_inside", "owned"]

Touches = Mapping[str, tuple[Touch, ...]]


def always_inside(cell: Cell, array: Array, around: Sequence[Loop], context: isl.Set, params: tuple[str, ...]) -> bool:
    """True when the index lies inside of the array for all values of the iterators and sizes."""
    dims = tuple(loop.iterator for loop in around)
    known = {*dims, *params}
    if any(not i.names() <= known for i in cell.index):
        return False
    space, where = islx.space(params, "", dims), islx.positions(params, dims)
    zero = isl.Aff.zero_on_domain(isl.LocalSpace.from_space(space))
    iterations = isl.Set.universe(space).intersect_params(context)  # { [iterators] }
    for loop in around:
        low, high = (loop.first, loop.last) if loop.step > 0 else (loop.last, loop.first)
        iterator = Affine.of(loop.iterator)
        above = [iterator - bound for bound in _bounds(low, "max")]
        below = [bound - iterator for bound in _bounds(high, "min")]
        for difference in above + below:
            if difference.names() <= known:
                iterations = iterations.intersect(difference.to_aff(space, where).ge_set(zero))
    index = islx.multi_aff(space, array.name, [i.to_aff(space, where) for i in cell.index])
    return bool(iterations.apply(index.as_map()).is_subset(array.domain(params)))


def _bounds(value: Value, kind: str) -> list[Affine]:
    """The affine bounds that a value implies; a bound that is not of the expected kind implies none."""
    match value:
        case Affine():
            return [value]
        case Extreme(k, args) if k == kind:
            return [b for a in args for b in _bounds(a, kind)]
        case _:
            return []


def owned(cell: Cell, around: Sequence[Loop], touches: Touches) -> bool:
    """True when no two concurrent iterations of the loops touch one element of the cell's array.

    Storing back what was loaded is harmless in one thread; another thread may have changed the element in between.
    """
    return all(_separates(loop, cell, touches) for loop in around if loop.parallel or loop.simd)


def _separates(loop: Loop, cell: Cell, touches: Touches) -> bool:
    """Whether some index is the loop's iterator plus a constant, the same in all accesses to the array inside."""
    for d, index in enumerate(cell.index):
        offset = index - Affine.of(loop.iterator)
        if not offset.is_constant:
            continue
        cells = [cell_of(t, i) for i in instances(loop) for t in touches[i.statement] if t.array == cell.array]
        if all(c is not None and c[d] == index for c in cells):
            return True
    return False
