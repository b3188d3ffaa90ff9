"""Loops marked `simd` that may say so in C, what they reduce, and which are worth the widest vectors."""

from __future__ import annotations

from collections.abc import Container, Mapping
from itertools import product

from polyad.codegen.loops.how import LaneSum, OneVector
from polyad.codegen.loops.instance import Lane
from polyad.codegen.loops.loop_values import Extreme, Value
from polyad.codegen.loops.nodes import Instance, Load, Loop, Store
from polyad.codegen.loops.statement_accesses import Touch, Touches, cell_of, index_at
from polyad.codegen.loops.traversal import instances, nodes
from polyad.codegen.loops.variables import outer_uses
from polyad.ir.affine import Affine, position_in_rows
from polyad.ir.element_types import item_bytes
from polyad.machine import Machine

__all__ = ["is_smooth", "is_smooth_along", "lane_sums", "wide_type"]

_REDUCED = ("sum", "prod", "max", "min")
"""Reductions of which each lane does a part."""


def lane_sums(loop: Loop, touches: Touches) -> tuple[LaneSum, ...] | None:
    """The variables that a vector loop reduces into, a part in each lane; None when it is none.

    A contribution to memory whose element does not move with the loop would be lost among the lanes. What has a loop
    over lanes inside has vectors already; a variable of each lane is none that could be reduced.
    """
    if any(isinstance(n, Loop) and isinstance(n.how, OneVector) for n in nodes(loop.body)):
        return None
    outer = {id(u.node) for u in outer_uses(loop, touches) if u.assigns}
    reductions: dict[str, LaneSum] = {}
    for instance in instances(loop):
        write = touches[instance.statement][0]
        local = instance.locals.get(write.array)
        if local is not None and id(instance) not in outer:
            continue
        if local is None:
            if not _moves(write, instance, loop.iterator):
                return None
            continue
        dtype = write.statement.body.dtype
        reduction = write.statement.reduction
        if reduction not in _REDUCED or dtype == "bool" or isinstance(local, Lane):
            return None
        found = LaneSum(local, reduction, dtype)
        if reductions.setdefault(local, found) != found:
            return None
    return tuple(reductions.values())


def wide_type(
    loop: Loop,
    touches: Touches,
    dtypes: Mapping[str, str],
    sizes: Container[str],
    machine: Machine,
) -> str | None:
    """The type of all that a vector loop works on, None where its vectors stay shorter.

    Args:
        loop: the vector loop.
        touches: the accesses of all statements.
        dtypes: array -> element type.
        sizes: the names that are sizes of the program, and not iterators of loops around.
        machine: says what is long enough, and which vectors are the widest.
    """
    types = {dtypes[t.array] for i in instances(loop) for t in touches[i.statement]}
    types |= {dtypes[n.cell.array] for n in nodes(loop) if isinstance(n, Load | Store)}
    if len(types) != 1 or not types <= {"float32", "float64"}:
        return None
    (dtype,) = types
    counts = _counts(loop, sizes)
    if isinstance(
        loop.how, OneVector
    ):  # variables of one vector each: many in two shorter ones would take twice the registers there are,
        # while few keep two units busy only so, as twice as many sums
        leaves = sum(isinstance(n, Instance | Load | Store) for n in nodes(loop))
        long = leaves >= machine.sums and all(c == Affine.of(machine.widest // item_bytes(dtype)) for c in counts)
    elif sums := lane_sums(loop, touches):  # lanes are added up at the end, which takes longer the more there are
        least = machine.long_sum if len(sums) == 1 else machine.long
        long = all(c.is_constant and c.constant >= least for c in counts)
    else:
        long = all(not c.is_constant or c.constant >= machine.long for c in counts)
    return dtype if counts and long else None


def _counts(loop: Loop, sizes: Container[str]) -> list[Affine]:
    """How many iterations a loop has, one of these, as far as it does not depend on loops around.

    A loop along a wavefront has as many in the middle; at both ends it has fewer.
    """
    pairs = product(_bounds(loop.first), _bounds(loop.last))
    counts = [(high - low) * loop.step + 1 for low, high in pairs]
    return [c for c in counts if all(n in sizes for n in c.names())]


def _bounds(value: Value) -> tuple[Affine, ...]:
    """Return the expressions whose least or greatest a bound is."""
    match value:
        case Affine():
            return (value,)
        case Extreme(_, args):
            return tuple(b for a in args for b in _bounds(a))
        case _:
            return ()


def is_smooth(loop: Loop, touches: Touches) -> bool:
    """Whether nothing but instances is in a loop, each access of them contiguous along it, either way, or invariant."""
    return all(
        isinstance(child, Instance)
        and all(is_smooth_along(t, child, loop.iterator, backwards=True) for t in touches[child.statement])
        for child in loop.body.children
    )


def is_smooth_along(touch: Touch, instance: Instance, iterator: str, *, backwards: bool = False) -> bool:
    """Whether an access is a C variable, or contiguous or invariant along a loop; or goes back by one element."""
    if touch.array in instance.locals:
        return True
    cell = cell_of(touch, instance)
    if cell is not None and len(cell) > 1 and (position := position_in_rows(*cell[-2:])) is not None:
        cell = (*cell[:-2], position)
    if cell is None or any(iterator in i.names() for i in cell[:-1]):
        return False
    if not cell or iterator not in cell[-1].names():
        return True
    steps = [Affine.of(iterator), *([-Affine.of(iterator)] if backwards else [])]
    return any(iterator not in (cell[-1] - step).names() for step in steps)


def _moves(write: Touch, instance: Instance, iterator: str) -> bool:
    """Whether each iteration writes elements of its own, as far as affine indices tell."""
    if write.kind == "define":
        return True
    return any(iterator in i.names() for i in index_at(write, instance) if i is not None)
