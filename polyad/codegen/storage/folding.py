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

Where a dimension of one slot lets another loop in, elements that differ in it share slots with all of the others'. They
are apart in time as the loops around are fixed by the indices; where those are tiles, all of them are compared.

Loops that run downwards in i (r = -i + ...) are the mirror image. Along a wavefront r = i + k, an element that has k as
another index is touched in iterations i + k - high ... i + k - low: elements that are otherwise equal have the same k,
so the same holds. There, no vector may step through the dimension that is folded.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence, Set
from dataclasses import dataclass
from functools import cached_property, reduce

import islpy as isl

from polyad.codegen.loops.statement_accesses import Touches
from polyad.codegen.storage.in_turn import in_turn
from polyad.codegen.storage.placed_accesses import Access
from polyad.codegen.storage.schedule_rows import Occurrence, Path, Place, Row, SequencePosition
from polyad.ir.affine import Affine
from polyad.ir.array import Array
from polyad.ir.expr import access_relation
from polyad.schedule.state.problem import row_relation

__all__ = ["fold"]


def fold(
    arrays: Sequence[Array],
    found: Sequence[Occurrence],
    touches: Touches,
    slanted: bool = False,
) -> dict[str, dict[int, int]]:
    """The slots that suffice, array -> dimension -> number of slots; what is not listed keeps its extent.

    Args:
        arrays: the temporaries in memory.
        found: the paths of the schedule.
        touches: the accesses of all statements.
        slanted: along wavefronts, for arrays that nothing folds otherwise.
    """
    accesses: dict[str, list[Access]] = {a.name: [] for a in arrays}
    for occurrence in found:
        for touch in touches[occurrence.statement]:
            if touch.array in accesses:
                accesses[touch.array].append(Access(touch, occurrence))
    slots = {array.name: _fold_array(array, accesses[array.name], slanted) for array in arrays}
    return {name: few for name, few in slots.items() if few}


def _fold_array(array: Array, accesses: Sequence[Access], slanted: bool) -> dict[int, int]:
    """The outermost loop that folds some dimension wins; a dimension of one slot lets the next loop in."""
    slots: dict[int, int] = {}
    folded: dict[int, _Folded] = {}
    for row in _rows(accesses):
        around = _around(row, accesses, [f.loop for f in folded.values()])
        for d in range(len(array.shape)):
            if d in slots or around is None:
                continue
            window = _window(around, d, slanted, folded)
            if window is None or not _worth(array.shape[d], window.size):
                continue
            if not _apart(d, window, folded):
                continue
            slots[d], folded[d] = window.size, _Folded(row, window.sign)
            # Elements that differ in a folded dimension must be apart in time for the argument to hold once more.
            if window.size > 1:
                return slots
            break
    return slots


@dataclass(frozen=True, slots=True)
class _Folded:
    """A dimension of one slot.

    Attributes:
        loop: in which its elements take their turns.
        sign: 1, or -1 where they do so downwards.
    """

    loop: tuple[Place, int]
    sign: int


def _worth(extent: Affine, slots: int) -> bool:
    return not extent.is_constant or extent.constant > slots


def _rows(accesses: Sequence[Access]) -> list[tuple[Place, int]]:
    """The sequential loops (node, member) around any access, outermost first."""
    found: dict[tuple[Place, int], int] = {}
    for access in accesses:
        for depth, step in enumerate(access.occurrence.path):
            if isinstance(step, Row) and not step.concurrent:
                found.setdefault((step.node, step.member), depth)
    return sorted(found, key=lambda key: found[key])


@dataclass(frozen=True, eq=False)
class _Around:
    """A loop among the accesses to an array.

    Attributes:
        path: down to the loop.
        inside: accesses within it.
        before: accesses before it.
        after: accesses after it.
    """

    path: Path
    inside: list[Access]
    before: list[Access]
    after: list[Access]

    @cached_property
    def elements(self) -> tuple[isl.Set | None, isl.Set | None, isl.Set | None]:
        """The elements that are touched inside, before and after."""
        return _elements(self.inside), _elements(self.before), _elements(self.after)


def _around(loop: tuple[Place, int], accesses: Sequence[Access], outer: Sequence[tuple[Place, int]]) -> _Around | None:
    """The accesses, each on its side of a loop in others; None where one is on neither, or the loop not in these."""
    inside = [a for a in accesses if loop in a.depths]
    if not all(o in inside[0].depths for o in outer):
        return None
    path = inside[0].occurrence.path
    sides: dict[int, list[Access]] = {-1: [], 1: []}
    for access in accesses:
        if loop not in access.depths:
            side = _side(access.occurrence.path, path)
            if side is None:
                return None
            sides[side].append(access)
    return _Around(path[: inside[0].depths[loop] + 1], inside, sides[-1], sides[1])


@dataclass(frozen=True, slots=True, eq=False)
class _Window:
    """Dimension d is loop + offset.

    Attributes:
        around: the loop.
        size: number of offsets in use.
        sign: 1 when the index grows with the loop, else -1.
    """

    around: _Around
    size: int
    sign: int


def _window(around: _Around, d: int, slanted: bool, folded: Mapping[int, _Folded]) -> _Window | None:
    """How dimension d moves with a loop, None when it does not, or when the surroundings do not let it be folded."""
    depth = len(around.path) - 1
    for sign in (1, -1):
        slant = _slant(d, around.inside, depth, sign) if slanted else {}
        if slanted and not slant:
            continue  # not folded without, either
        known = _offsets(around.inside, d, depth, sign, slant)
        if known is None:
            continue
        window = _Window(around, max(known) - min(known) + 1, sign)
        if _outer_fixed(around, d) or _in_turn(window, d, folded):
            return window
    return None


def _side(path: Path, other: Path) -> int | None:
    """-1 when `path` leaves `other` for an earlier place of a sequence, 1 for a later one, None when neither holds."""
    for mine, theirs in zip(path, other, strict=False):
        if isinstance(mine, SequencePosition) and isinstance(theirs, SequencePosition) and mine != theirs:
            if mine.node != theirs.node or mine.position is None or theirs.position is None:
                return None
            return -1 if mine.position < theirs.position else 1
    return None


def _offsets(inside: Sequence[Access], d: int, depth: int, sign: int, slant: Mapping[int, int]) -> list[int] | None:
    """The offsets of all accesses within the loop, None when one of them has none."""
    found = []
    for access in inside:
        offset = _offset(access, d, depth, sign, slant)
        if offset is None:
            return None
        found.append(offset)
    return found


def _offset(access: Access, d: int, depth: int, sign: int, slant: Mapping[int, int]) -> int | None:
    """index_d - sign * row, with multiples of the other indices added, when that is a number."""
    if not slant:
        here, row = access.index[d], access.turned[sign][depth]
        return None if here is None or row is None or here.terms != row.terms else here.constant - row.constant
    difference = _difference(access, d, depth, sign)
    if difference is None:
        return None
    for j, factor in slant.items():
        other = access.index[j]
        if other is None:
            return None
        difference = difference + other * factor
    return difference.constant if difference.is_constant else None


def _difference(access: Access, d: int, depth: int, sign: int) -> Affine | None:
    """index_d - sign * row, dimensions of one value replaced by it."""
    here, row = access.index[d], access.rows[depth]
    return None if here is None or row is None else here - row * sign


def _slant(d: int, inside: Sequence[Access], depth: int, sign: int) -> dict[int, int]:
    """Return the multiples of other indices that make index_d depend on the loop alone; none if a vector steps along d.

    Found for one access; `_offset` says whether it holds for all.
    """
    for access in inside:
        if access.vector is not None and access.vector[d]:
            return {}
    for access in inside:
        difference = _difference(access, d, depth, sign)
        if difference is None:
            return {}
        rest = dict(difference.terms)
        slant = {}
        for j, other in enumerate(access.index):
            if j != d and other is not None and len(other.terms) == 1:
                ((atom, factor),) = other.terms
                if factor == 1 and atom in rest:
                    slant[j] = -rest.pop(atom)
        if slant and not rest:
            return slant
    return {}


def _outer_fixed(around: _Around, d: int) -> bool:
    """Whether each loop around is a function of one index of the element, but for d: the same for all accesses.

    An already folded dimension of one slot counts as an index: elements that differ there are apart in time.
    """
    accesses = (*around.inside, *around.before, *around.after)
    rank = len(accesses[0].touch.index)
    for depth, step in enumerate(around.path[:-1]):
        if not isinstance(step, Row):
            continue
        sharing = [a for a in accesses if a.depths.get((step.node, step.member)) == depth]
        candidates = ((j, a.function(j, depth)) for j in range(rank) if j != d for a in sharing)
        if not any(f is not None and all(a.follows(f, j, depth) for a in sharing) for j, f in candidates):
            return False
    return True


def _in_turn(window: _Window, d: int, folded: Mapping[int, _Folded]) -> bool:
    """Whether elements of one slot have their turns in loops that the other indices do not fix: tiles of time.

    Elements that differ in dimensions that were folded before have one slot as well, whatever their index in d: a tile
    may hold several steps, the elements of one of which wait for the next tile while those of another are computed.
    """
    around = window.around
    loops = [step for step in around.path if isinstance(step, Row)]
    others = (*around.before, *around.after)
    outermost = (loops[0].node, loops[0].member)
    if len(loops) == 1 or any(outermost in access.depths for access in others) or (folded and others):
        return False
    touched: isl.Map | None = None
    for access in around.inside:
        rows = [step.value for step in access.occurrence.path[: len(around.path)] if isinstance(step, Row)]
        values = [r for r in rows if r is not None]
        if len(values) < len(loops):
            return False
        elements = access_relation(access.touch.access).intersect_domain(access.occurrence.domain)
        one = elements.reverse().apply_range(row_relation(access.touch.statement, values))
        touched = one if touched is None else touched.union(one)
    assert touched is not None, "some access is inside"
    touched = touched.coalesce()
    space = touched.get_space().domain()
    later = _far(space, d, window.size, window.sign)
    free = {d}
    for dimension, sign in reversed([(dim, f.sign) for dim, f in folded.items()]):
        later = later.union(_far(space, dimension, 1, sign, frozenset(free)))
        free.add(dimension)
    return in_turn(touched, later, loops)


def _apart(d: int, window: _Window, folded: Mapping[int, _Folded]) -> bool:
    """Whether accesses before and after the loop leave each other and the loop their slots.

    In other loops, of folded dimensions, each element has its slot for one iteration of those that an access is in.
    """
    if not window.around.before and not window.around.after:
        return True
    if folded:
        return _apart_in_loops(d, window, folded)
    inside, before, after = window.around.elements
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


def _apart_in_loops(d: int, window: _Window, folded: Mapping[int, _Folded]) -> bool:
    """The same where elements that differ in folded dimensions have one slot, too: the last ones, or the first ones.

    An access in the first n of the loops is compared with the elements of the same iteration of these.
    """
    around, turns = window.around, [(dim, f.sign, 1) for dim, f in folded.items()] + [(d, window.sign, window.size)]
    every = _elements((*around.inside, *around.before, *around.after))
    assert every is not None
    for accesses, back in ((around.before, True), (around.after, False)):
        for n in range(len(folded) + 1):
            loops = [f.loop for f in folded.values()]
            here = _elements([a for a in accesses if sum(loop in a.depths for loop in loops) == n])
            if here is None:
                continue
            for at in range(n, len(turns)):
                dim, sign, distance = turns[at]
                free = {other for other, *_ in turns[at + 1 :]}
                later = _far(here.get_space(), dim, distance, sign, free)
                if not here.apply(later.reverse() if back else later).intersect(every).is_empty():
                    return False
    return True


def _elements(accesses: Sequence[Access]) -> isl.Set | None:
    """The union of what is touched; not coalesced, which takes longer than all questions about it: pieces overlap."""
    different: list[isl.Set] = []
    for access in accesses:
        if not any(access.elements.plain_is_equal(d) for d in different):
            different.append(access.elements)
    return reduce(isl.Set.union, different) if different else None


def _far(space: isl.Space, d: int, distance: int, sign: int, free: Set[int] = frozenset()) -> isl.Map:
    """{ a[e] -> a[e'] : sign * (e'_d - e_d) >= distance, e' = e elsewhere but in `free` }."""
    result = isl.Map.universe(space.map_from_set())
    rank = space.dim(isl.dim_type.set)
    for j in range(rank):
        if j != d and j not in free:
            result = result.equate(isl.dim_type.in_, j, isl.dim_type.out, j)
    constraint = isl.Constraint.alloc_inequality(isl.LocalSpace.from_space(space.map_from_set()))
    constraint = constraint.set_coefficient_val(isl.dim_type.out, d, isl.Val(sign))
    constraint = constraint.set_coefficient_val(isl.dim_type.in_, d, isl.Val(-sign))
    return result.add_constraint(constraint.set_constant_val(isl.Val(-distance)))
