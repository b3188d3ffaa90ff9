"""Circular buffers: an array whose elements live for a few iterations of a sequential loop needs a few slots only.

Let every access inside of loop r to array a have i = r + c along dimension d, with offsets c between low and high.
Element i is then touched in iterations i - high ... i - low. Elements m = high - low + 1 apart along d, otherwise
equal, are touched in disjoint stretches of the loop, one after the other, so they may share the slot i mod m. This
needs:

- loop r is sequential (iterations of a parallel loop overlap in time);
- each loop around r is fixed by the other indices of the element, so that elements that are otherwise equal live in one
  and the same run of loop r;
- accesses before and after the loop (initial states, final states) are kept apart by sets of elements:
  one that is accessed before must not share its slot with an earlier element of the loop, one that is read after
  not with a later one, and two accessed on the same side not with each other.

Loops that run downwards in i (r = -i + ...) are the mirror image.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import islpy as isl

from polyad.codegen.schedule_rows import Occurrence, Order, Path, Place, Row
from polyad.codegen.statement_accesses import Touch
from polyad.ir.affine import Affine
from polyad.ir.array import Array
from polyad.ir.expr import access_relation

__all__ = ["fold"]


@dataclass(frozen=True, slots=True, eq=False)
class _Access:
    """An access and where in the schedule it is made."""

    touch: Touch
    occurrence: Occurrence

    def elements(self) -> isl.Set:
        """{ a[i] } that it touches."""
        return access_relation(self.touch.access).intersect_domain(self.occurrence.domain).range()


def fold(
    arrays: Sequence[Array], found: Sequence[Occurrence], touches: Mapping[str, tuple[Touch, ...]]
) -> dict[str, dict[int, int]]:
    """The slots that suffice, array -> dimension -> number of slots; what is not listed keeps its extent.

    Args:
        arrays: the temporaries in memory.
        found: the paths of the schedule.
        touches: the accesses of all statements.
    """
    accesses: dict[str, list[_Access]] = {a.name: [] for a in arrays}
    for occurrence in found:
        for touch in touches[occurrence.statement]:
            if touch.array in accesses:
                accesses[touch.array].append(_Access(touch, occurrence))
    result = {}
    for array in arrays:
        slots = _fold_array(array, accesses[array.name])
        if slots:
            result[array.name] = slots
    return result


def _fold_array(array: Array, accesses: Sequence[_Access]) -> dict[int, int]:
    """The outermost loop that folds some dimension wins; a dimension of one slot lets the next loop in."""
    slots: dict[int, int] = {}
    for row in _rows(accesses):
        for d in range(len(array.shape)):
            if d in slots:
                continue
            window = _window(row, d, accesses)
            if window is None or not _worth(array.shape[d], window.size):
                continue
            if not _apart(d, window):
                continue
            slots[d] = window.size
            # Elements that differ in a folded dimension must be apart in time for the argument to hold once more.
            if window.size > 1 or window.before or window.after:
                return slots
            break
    return slots


def _worth(extent: Affine, slots: int) -> bool:
    return not extent.is_constant or extent.constant > slots


def _rows(accesses: Sequence[_Access]) -> list[tuple[Place, int]]:
    """The sequential loops (node, member) around any access, outermost first."""
    found: dict[tuple[Place, int], int] = {}
    for access in accesses:
        for depth, step in enumerate(access.occurrence.path):
            if isinstance(step, Row) and not step.concurrent:
                found.setdefault((step.node, step.member), depth)
    return sorted(found, key=lambda key: found[key])


@dataclass(frozen=True, slots=True, eq=False)
class _Window:
    """Dimension d is loop + offset.

    Attributes:
        size: number of offsets in use.
        sign: 1 when the index grows with the loop, else -1.
        inside: accesses within the loop.
        before: accesses before it.
        after: accesses after it.
    """

    size: int
    sign: int
    inside: list[_Access]
    before: list[_Access]
    after: list[_Access]


def _window(loop: tuple[Place, int], d: int, accesses: Sequence[_Access]) -> _Window | None:
    """How dimension d moves with a loop, None when it does not, or when the surroundings do not let it be folded."""
    inside = [a for a in accesses if _position(a, loop) is not None]
    depth = _position(inside[0], loop)
    assert depth is not None
    path = inside[0].occurrence.path
    before: list[_Access] = []
    after: list[_Access] = []
    for access in accesses:
        if _position(access, loop) is None:
            side = _side(access.occurrence.path, path)
            if side is None:
                return None
            (before if side < 0 else after).append(access)
    for sign in (1, -1):
        offsets = [_offset(a.touch.index[d], a.occurrence.path[depth], sign) for a in inside]
        known = [o for o in offsets if o is not None]
        if len(known) == len(offsets) and _outer_fixed(accesses, path[:depth], d):
            return _Window(max(known) - min(known) + 1, sign, inside, before, after)
    return None


def _position(access: _Access, loop: tuple[Place, int]) -> int | None:
    for depth, step in enumerate(access.occurrence.path):
        if isinstance(step, Row) and (step.node, step.member) == loop:
            return depth
    return None


def _side(path: Path, other: Path) -> int | None:
    """-1 when `path` leaves `other` for an earlier place of a sequence, 1 for a later one, None when neither holds."""
    for mine, theirs in zip(path, other, strict=False):
        if isinstance(mine, Order) and isinstance(theirs, Order) and mine != theirs:
            if mine.node != theirs.node or mine.position is None or theirs.position is None:
                return None
            return -1 if mine.position < theirs.position else 1
    return None


def _offset(index: Affine | None, row: Order | Row, sign: int) -> int | None:
    """index - sign * row, when that is a number."""
    assert isinstance(row, Row)
    if index is None or row.value is None:
        return None
    difference = index - row.value * sign
    return difference.constant if difference.is_constant else None


def _function(index: Affine | None, row: Order | Row) -> Affine | None:
    """The row in terms of the index `e`, for an index i + c and a row over i alone: e - c, 4 * floor((e - c) / 4)."""
    assert isinstance(row, Row)
    if index is None or row.value is None:
        return None
    (name, *others) = index.names() or ("",)
    start = index - Affine.of(name) if name else index
    if others or not start.is_constant or row.value.names() != {name}:
        difference = [row.value - index, row.value + index]
        constant = next((i for i, a in enumerate(difference) if a.is_constant), None)
        return None if constant is None else difference[constant] + Affine.of("e") * (1 - 2 * constant)
    return row.value.substitute({name: Affine.of("e") - start.constant})


def _outer_fixed(accesses: Sequence[_Access], outer: Path, d: int) -> bool:
    """Whether each loop around is a function of one index of the element, but for d: the same for all accesses.

    An already folded dimension of one slot counts as an index: elements that differ there are apart in time.
    """
    rank = len(accesses[0].touch.index)
    for depth, step in enumerate(outer):
        if not isinstance(step, Row):
            continue
        sharing = [
            a
            for a in accesses
            if len(a.occurrence.path) > depth
            and isinstance(r := a.occurrence.path[depth], Row)
            and (r.node, r.member) == (step.node, step.member)
        ]
        offsets = [
            {_function(a.touch.index[j], a.occurrence.path[depth]) for a in sharing} for j in range(rank) if j != d
        ]
        fixed = any(len(found) == 1 and None not in found for found in offsets)
        if not fixed:
            return False
    return True


def _apart(d: int, window: _Window) -> bool:
    """Whether accesses before and after the loop leave each other and the loop their slots."""
    if not window.before and not window.after:
        return True
    inside, before, after = (_elements(a) for a in (window.inside, window.before, window.after))
    some = inside if inside is not None else before
    assert some is not None
    space = some.get_space()
    later = _far(space, d, window.size, window.sign)  # { a[e] -> a[e'] : e' further in the direction of the loop }
    earlier = later.reverse()

    def disjoint(first: isl.Set | None, relation: isl.Map, second: isl.Set | None) -> bool:
        if first is None or second is None:
            return True
        return bool(first.apply(relation).intersect(second).is_empty())

    return (
        disjoint(before, earlier, inside)
        and disjoint(before, earlier, before)
        and disjoint(after, later, inside)
        and disjoint(after, later, after)
    )


def _elements(accesses: Sequence[_Access]) -> isl.Set | None:
    if not accesses:
        return None
    result = accesses[0].elements()
    for access in accesses[1:]:
        result = result.union(access.elements())
    return result.coalesce()


def _far(space: isl.Space, d: int, distance: int, sign: int) -> isl.Map:
    """{ a[e] -> a[e'] : sign * (e'_d - e_d) >= distance, e' = e elsewhere }."""
    result = isl.Map.universe(space.map_from_set())
    rank = space.dim(isl.dim_type.set)
    for j in range(rank):
        if j != d:
            result = result.equate(isl.dim_type.in_, j, isl.dim_type.out, j)
    constraint = isl.Constraint.alloc_inequality(isl.LocalSpace.from_space(space.map_from_set()))
    constraint = constraint.set_coefficient_val(isl.dim_type.out, d, isl.Val(sign))
    constraint = constraint.set_coefficient_val(isl.dim_type.in_, d, isl.Val(-sign))
    return result.add_constraint(constraint.set_constant_val(isl.Val(-distance)))
