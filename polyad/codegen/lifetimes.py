"""Temporaries that do not live at the same time share memory."""

from __future__ import annotations

from collections.abc import Callable, Container, Mapping, Sequence
from dataclasses import dataclass

from polyad.codegen.loops import Block, Instance, Load, Node, Pack, Store, nodes
from polyad.codegen.memory_plan import Slot
from polyad.codegen.statement_accesses import Touch
from polyad.ir.affine import Affine
from polyad.ir.array import Array

__all__ = ["accessed", "share", "users"]

FOREVER = 1 << 62


@dataclass(slots=True, eq=False)
class _Growing:
    """A slot while arrays are being put into it; free after top-level nest `until`."""

    arrays: list[str]
    dtype: str
    extents: tuple[Affine, ...]
    until: int


def users(root: Block, arrays: Sequence[str], touches: Mapping[str, tuple[Touch, ...]]) -> dict[str, list[int]]:
    """Array -> the top-level nests that access it, in order; arrays nobody accesses are left out."""
    found: dict[str, list[int]] = {}
    for position, nest in enumerate(root.children):
        for name in accessed(nest, touches):
            found.setdefault(name, []).append(position)
    return {a: found[a] for a in arrays if a in found}


def accessed(node: Node, touches: Mapping[str, tuple[Touch, ...]]) -> frozenset[str]:
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


def share(
    arrays: Mapping[str, Array],
    extents: Mapping[str, tuple[Affine, ...]],
    lives: Mapping[str, Sequence[int]],
    alone: Container[str],
    follows: Callable[[str, str, int], bool] = lambda new, old, nest: False,
) -> tuple[Slot, ...]:
    """Put arrays of one type into as few slots as their lifetimes allow.

    They have the same extents, in any order, or extents that are numbers: then a slot has room for the largest.

    Args:
        arrays: all arrays by name.
        extents: their extents in memory.
        lives: the top-level nests that use them, in order; the result holds these arrays.
        alone: arrays that share with nobody.
        follows: whether an array may take over the memory of another one in the nest where that one is used last.
    """
    slots: list[_Growing] = []
    # Lifetimes taken by their beginnings: the greedy choice is optimal for intervals.
    for name in sorted(lives, key=lambda n: lives[n][0]):
        first, last = lives[name][0], lives[name][-1]
        free = [] if name in alone else [s for s in slots if s.until < first and s.dtype == arrays[name].dtype]
        slot = _fitting(free, extents[name])
        if slot is None and name not in alone:
            ending = [s for s in slots if s.until == first and s.dtype == arrays[name].dtype]
            same = [s for s in ending if tuple(extents[s.arrays[-1]]) == tuple(extents[name])]
            slot = next((s for s in same if follows(name, s.arrays[-1], first)), None)
        if slot is not None:
            slot.arrays.append(name)
            slot.until = last
            if _size(slot.extents) < _size(extents[name]):
                slot.extents = extents[name]
        else:
            until = FOREVER if name in alone else last
            slots.append(_Growing([name], arrays[name].dtype, extents[name], until))
    return tuple(Slot(tuple(s.arrays), s.dtype, s.extents) for s in slots)


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
