"""May elements of several arrays lie in one place, one after the other? The exact test, for any loops.

Each array has a place for each of its elements. What has to hold: of any two elements that share a place, one is
touched for the last time before the other is touched for the first time.

    NB = { e -> e' : some touch of e does not run before some touch of e' },   same place, e and e' different
    NB and its inverse have nothing in common

Copies that stay where they are do nothing:

    A_1[t, 0] = A[0];      A_out[i] = A_1[T, i]          with A, A_1[t] and A_out in one place

They leave the text, and the two elements are one from then on, unless others are added to the new one. So are those of
all steps where a border is copied from step to step:

    A_1[t, 0] = A_1[t - 1, 0]                            A_1[t, 0] is A_1[0, 0]
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace

import islpy as isl

from polyad import islx
from polyad.codegen.loops.nodes import Block
from polyad.codegen.loops.traversal import instances
from polyad.codegen.storage.moments import LAST, Moment, Position, UnknownOrderError
from polyad.codegen.storage.not_before import not_before
from polyad.ir.affine import Affine
from polyad.ir.array import Array
from polyad.ir.expr import Indirect, Read, access_relation
from polyad.ir.program import Program
from polyad.ir.statement import Statement

__all__ = ["CopyInPlace", "at_ends", "copies_in_place", "live_apart", "place", "share_places"]

Places = Mapping[str, isl.Map]  # array -> { a[e] -> place[p] }

_CHAIN = 8  # copies of copies that are followed


@dataclass(frozen=True, slots=True, eq=False)
class CopyInPlace:
    """A statement that copies elements to where they lie already.

    Attributes:
        statement: its name.
        same: { new[e] -> old[e'] } those that are one from then on.
        moves: whether all that it makes is of that kind.
    """

    statement: str
    same: isl.Map
    moves: bool


def copies_in_place(loops: Block, program: Program, places: Places) -> list[CopyInPlace]:
    """The statements all of whose instances copy an element to its own place, from memory to memory.

    Args:
        loops: with C variables in place.
        program: the program.
        places: of the arrays that share memory.
    """
    added: dict[str, isl.Set] = {}
    for s in program.statements:
        if s.array in places and s.reduction is not None:
            elements = _written(s, program).range()
            added[s.array] = added[s.array].union(elements) if s.array in added else elements
    found = []
    for s in program.statements:
        source = _source(s) if s.array in places else None
        if source is None or source.array not in places:
            continue
        old, write = access_relation(source.access), _written(s, program)
        if not write.apply_range(places[s.array]).is_subset(old.apply_range(places[source.array])):
            continue
        same = write.reverse().apply_range(old)
        grown = added.get(s.array)
        if grown is not None:
            same = same.subtract_domain(grown)
        if s.array == source.array:
            same = _to_the_first(same)
        moves = bool(write.range().is_subset(same.domain()))
        found.append(CopyInPlace(s.name, same.coalesce(), moves))
    in_variables = {i.statement for i in instances(loops) if i.locals} if found else set()
    return [c for c in found if c.statement not in in_variables]


def _to_the_first(same: isl.Map) -> isl.Map:
    """{ new[e] -> old[e'] }, e' no copy itself: what goes from step to step is one element in all of them."""
    closure, exact = same.transitive_closure()
    return closure.subtract_range(same.domain()) if exact else isl.Map.empty(same.get_space())


def _source(s: Statement) -> Read | None:
    """Return the read that a statement copies."""
    body = s.body
    if s.reduction is not None or not isinstance(body, Read) or Indirect in (type(body.access), type(s.write)):
        return None
    return body


def _written(s: Statement, program: Program) -> isl.Map:
    """{ S[i] -> a[e] }."""
    return access_relation(s.write).intersect_domain(s.domain.intersect_params(program.context))


def at_ends(program: Program, root: int, inputs: Iterable[str], outputs: Iterable[str]) -> list[Moment]:
    """The caller writes inputs before the first node of a block, and reads outputs behind the last."""
    found = []
    for arrays, kind, number in ((inputs, "write", -1), (outputs, "read", LAST)):
        for name in arrays:
            elements = program.arrays[name].domain(program.params).intersect_params(program.context)
            every = isl.Map.from_range(elements)
            path = (Position(root, number),)
            found.append(Moment(name, "write" if kind == "write" else "read", path, _from_nothing(every), -2 - number))
    return found


def _from_nothing(elements: isl.Map) -> isl.Map:
    """{ [] -> a[e] }."""
    nothing = isl.Set.universe(elements.get_space().params().set_from_params())
    return isl.Map.from_domain_and_range(nothing, elements.range())


def share_places(touched: Sequence[Moment], places: Places, copies: Sequence[CopyInPlace], program: Program) -> bool:
    """Whether arrays may share places.

    Args:
        touched: when; `at_ends` says what the caller does.
        places: of all of them.
        copies: those of `copies_in_place` that leave the text.
        program: the program.

    Raises:
        UnknownOrderError: copies of copies make a chain that is too long.
    """
    gone = {c.statement for c in copies if c.moves}
    moments = _as_one([m for m in touched if m.by not in gone], copies)
    names = {m.array for m in moments}
    return _in_order(moments, [(x, y) for x in names for y in names], places, program)


def live_apart(first: Sequence[Moment], then: Sequence[Moment], places: Places, program: Program) -> bool:
    """Whether of any two elements in one place, one of each of two arrays, one is done with before the other begins.

    Args:
        first: when one of them is touched.
        then: when the other one is.
        places: of both.
        program: the program.
    """
    one, other = first[0].array, then[0].array
    return _in_order([*first, *then], [(one, other), (other, one)], places, program)


def _in_order(moments: Sequence[Moment], pairs: Iterable[tuple[str, str]], places: Places, program: Program) -> bool:
    """Whether elements in one place, of some pairs of arrays, live one after the other."""
    relations = {(x, y): _same_place(x, y, places, program) for x, y in pairs}
    meeting = {key: relation for key, relation in relations.items() if relation is not None}
    bad: dict[tuple[str, str], isl.Map] = {}
    for (x, y), found in not_before(moments, meeting):
        bad[x, y] = bad[x, y].union(found) if (x, y) in bad else found
        if (y, x) in bad and not found.is_disjoint(bad[y, x].reverse()):
            return False  # two elements, each not before the other
    return True


def _as_one(touched: Sequence[Moment], copies: Sequence[CopyInPlace]) -> list[Moment]:
    """The moments, with each element by the name of the one that it is a copy of."""
    same: dict[str, list[isl.Map]] = {}
    for copy in copies:
        same.setdefault(copy.same.get_tuple_name(isl.dim_type.in_), []).append(copy.same)
    waiting, result = list(touched), []
    for _ in range(_CHAIN):
        moved: list[Moment] = []
        for moment in waiting:
            rest = moment.elements
            for other in same.get(moment.array, ()):
                there = rest.intersect_range(other.domain())
                if not there.is_empty():
                    array = other.get_tuple_name(isl.dim_type.out)
                    moved.append(replace(moment, array=array, elements=there.apply_range(other)))
                    rest = rest.subtract_range(other.domain())
            if not rest.is_empty():
                result.append(replace(moment, elements=rest))
        waiting = moved
        if not waiting:
            break
    if waiting:
        raise UnknownOrderError
    return result


def place(array: Array, slots: Mapping[int, int], program: Program) -> isl.Map:
    """{ a[e] -> [p] }: indices modulo their slots; dimensions of one slot are none."""
    params = program.params
    dims = tuple(f"e{d}" for d in range(len(array.shape)))
    space, where = islx.space(params, array.name, dims), islx.positions(params, dims)
    index = [Affine.of(d) % slots[k] if k in slots else Affine.of(d) for k, d in enumerate(dims)]
    kept = [i for k, i in enumerate(index) if slots.get(k) != 1]
    return islx.multi_aff(space, "", [i.to_aff(space, where) for i in kept]).as_map()


def _same_place(x: str, y: str, places: Places, program: Program) -> isl.Map | None:
    """{ x[e] -> y[e'] : two elements in one place }; None where there are none."""
    one, other = (
        places[n].intersect_domain(program.arrays[n].domain(program.params).intersect_params(program.context))
        for n in (x, y)
    )
    if x == y and one.is_injective():
        return None
    result = one.apply_range(other.reverse())
    if x == y:
        result = result.subtract(isl.Map.identity(result.get_space()))
    return result
