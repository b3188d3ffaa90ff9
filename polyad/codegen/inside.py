"""Does an array element exist in every iteration of some loops?"""

from __future__ import annotations

from collections.abc import Sequence

import islpy as isl

from polyad import islx
from polyad.codegen.loop_values import Extreme, Value
from polyad.codegen.loops import Cell, Loop
from polyad.ir.affine import Affine
from polyad.ir.array import Array

__all__ = ["always_inside"]


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
