"""Temporaries that do not live at the same time share memory."""

from __future__ import annotations

from collections.abc import Callable, Container, Mapping, Sequence
from dataclasses import dataclass

from polyad.codegen.loops.nodes import Block, Instance, Load, Node, Pack, Store
from polyad.codegen.loops.statement_accesses import Touches
from polyad.codegen.loops.traversal import nodes
from polyad.codegen.storage.memory_plan import Slot
from polyad.ir.affine import Affine
from polyad.ir.array import Array
from polyad.ir.element_types import item_bytes

__all__ = ["Shared", "accessed", "share", "users"]

Lives = Mapping[str, Sequence[int]]  # array -> the top-level nests that use it, in order
Extents = Mapping[str, tuple[Affine, ...]]


@dataclass(slots=True, eq=False)
class _Growing:
    """A slot while arrays are being put into it."""

    arrays: list[str]
    dtype: str
    extents: tuple[Affine, ...]


def users(root: Block, arrays: Sequence[str], touches: Touches) -> dict[str, list[int]]:
    """Array -> the top-level nests that access it, in order; arrays nobody accesses are left out."""
    found: dict[str, list[int]] = {}
    for position, nest in enumerate(root.children):
        for name in accessed(nest, touches):
            found.setdefault(name, []).append(position)
    return {a: found[a] for a in arrays if a in found}


def accessed(node: Node, touches: Touches) -> frozenset[str]:
    """The arrays that a nest accesses in memory or would without C variables."""
    found: set[str] = set()
    for inner in nodes(node):
        match inner:
            case Instance(statement=statement):
                found.update(t.array for t in touches[statement])
            case Load(_, cell) | Store(_, cell):
                found.add(cell.array)
            case Pack(array=array):
                found.add(array)
            case _:
                pass
    return frozenset(found)


@dataclass(frozen=True, slots=True, eq=False)
class Shared:
    """Arrays that share memory.

    Attributes:
        slots: the slices of the workspace; no two arrays of one are used in the same nest.
        of: array -> the array of a slot in whose place it lies, also within a nest.
        users: array of a slot -> the top-level nests that use it, or what lies there, in order.
    """

    slots: tuple[Slot, ...]
    of: Mapping[str, str]
    users: Mapping[str, list[int]]


def share(
    arrays: Mapping[str, Array],
    extents: Extents,
    lives: Lives,
    alone: Container[str],
    follows: Callable[[str, str, int], bool] = lambda new, old, nest: False,
) -> Shared:
    """Put arrays of one type into as few slots as their lifetimes allow.

    They have the same extents, in any order, or extents that are numbers: then a slot has room for the largest.

    Args:
        arrays: all arrays by name.
        extents: their extents in memory.
        lives: the top-level nests that use them, in order; the result holds these arrays.
        alone: arrays that share with nobody.
        follows: whether an array may take over the memory of another one in the nest where that one is used last.
    """

    def together(one: str, other: str) -> bool:
        (old, new) = sorted((one, other), key=lambda n: lives[n][0])
        if lives[old][-1] != lives[new][0] or _places(extents[old]) != _places(extents[new]):
            return False
        return follows(new, old, lives[new][0]) or (lives[old] == lives[new] and follows(old, new, lives[new][0]))

    # Lifetimes taken by their beginnings are the optimal order for arrays of one size, by size a good one for others.
    orders = [sorted(lives, key=lambda n: lives[n][0])]
    if all(_size(extents[n]) for n in lives):
        orders.append(sorted(lives, key=lambda n: (-_bytes(arrays[n].dtype, extents[n]), lives[n][0])))
    plans = [_placed(order, arrays, extents, lives, alone, together) for order in orders]
    best = min(plans, key=lambda plan: sum(_bytes(s.dtype, s.extents) for s in plan))
    slots: list[Slot] = []
    of: dict[str, str] = {}
    users: dict[str, list[int]] = {}
    for slot in best:
        homes: list[str] = []
        for name in sorted(slot.arrays, key=lambda n: lives[n][0]):
            home = next((h for h in homes if {*users[h]} & {*lives[name]}), name)
            if home == name:
                homes.append(name)
            else:
                of[name] = home
            users[home] = sorted({*users.get(home, ()), *lives[name]})
        slots.append(Slot(tuple(homes), slot.dtype, slot.extents))
    return Shared(tuple(slots), of, users)


def _places(extents: Sequence[Affine]) -> list[Affine]:
    """The extents that say where elements lie."""
    return [e for e in extents if e != Affine.of(1)]


def _placed(
    order: Sequence[str],
    arrays: Mapping[str, Array],
    extents: Extents,
    lives: Lives,
    alone: Container[str],
    together: Callable[[str, str], bool],
) -> list[_Growing]:
    """Each array in its turn goes into a slot that is free while it lives, or into a new one."""
    slots: list[_Growing] = []
    for name in order:
        first, last = lives[name][0], lives[name][-1]
        alike = [s for s in slots if s.dtype == arrays[name].dtype and name not in alone and s.arrays[0] not in alone]
        shared = [(s, [o for o in s.arrays if lives[o][0] <= last and first <= lives[o][-1]]) for s in alike]
        slot = _fitting([s for s, others in shared if not others], extents[name])
        if slot is None:
            slot = next((s for s, others in shared if others and all(together(name, o) for o in others)), None)
        if slot is None:
            slots.append(_Growing([name], arrays[name].dtype, extents[name]))
            continue
        slot.arrays.append(name)
        if _size(slot.extents) < _size(extents[name]):
            slot.extents = extents[name]
    return slots


def _fitting(free: Sequence[_Growing], extents: Sequence[Affine]) -> _Growing | None:
    """The slot that an array goes into: one of the same extents, else the one nearest in size where sizes are known."""
    same = [s for s in free if sorted(map(str, s.extents)) == sorted(map(str, extents))]
    if same:
        return same[0]
    known = [s for s in free if _size(s.extents)] if _size(extents) else []
    return min(known, key=lambda s: abs(_size(s.extents) - _size(extents)), default=None)


def _size(extents: Sequence[Affine]) -> int:
    """The number of elements, 0 where it is not known."""
    size = 1
    for extent in extents:
        if not extent.is_constant:
            return 0
        size *= extent.constant
    return size


def _bytes(dtype: str, extents: Sequence[Affine]) -> int:
    """The bytes of an array, 0 where its size is not known."""
    return item_bytes(dtype) * _size(extents)
