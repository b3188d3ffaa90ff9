"""The part of a price that memory takes: bytes moved into a cache, by the loops that find them there again.

A node moves what it touches, each element once, where all of it fits into the cache. Else a sequence moves what its
children move, one after the other; and a loop, whose iterations together do not fit, moves again in each iteration

- what is another element in each iteration, or another part of a line of memory;
- everything, if not even one iteration fits: then neither what stays the same nor a line is still there.

A temporary that is written and read in the same iteration of a loop, or some iterations later, needs room for these:
its storage is folded, and moves nothing (codegen/storage).
"""

from __future__ import annotations

from collections.abc import Mapping
from collections.abc import Sequence as Several
from dataclasses import dataclass, field
from functools import lru_cache
from math import inf, prod

import islpy as isl

from polyad.ir.affine import Affine
from polyad.ir.element_types import item_bytes
from polyad.ir.program import Program
from polyad.ir.statement import Statement
from polyad.schedule.pricing.nests import Loop, Nest, Run, Sequence
from polyad.schedule.tree.marks import ContractionMark

__all__ = ["Arrays", "arrays_of", "traffic"]

NEAR = 2
"""Iterations that storage is folded over (codegen/storage/folding.py); more need as much room as all, nearly."""


@dataclass(frozen=True, slots=True)
class _Touched:
    """Bytes of arrays that a node touches, and moves.

    Attributes:
        room: array -> bytes of the elements touched.
        moved: array -> bytes moved into the cache.
    """

    room: Mapping[str, float] = field(default_factory=dict)
    moved: Mapping[str, float] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class _Access:
    """An access to an array.

    Attributes:
        name: the statement.
        index: in its dimensions; nothing where data pick an element.
        names: the dimensions and sizes in each index.
    """

    name: str
    index: tuple[Affine, ...] | None
    names: tuple[frozenset[str], ...]


@dataclass(frozen=True, slots=True)
class Arrays:
    """The arrays of a program at given sizes.

    Attributes:
        accesses: array -> all accesses to it.
        items: array -> bytes of an element.
        wholes: array -> bytes of all elements.
        temporary: those that are temporaries.
        steps: (array, loop) -> what was found of them, which is the same for all caches.
    """

    accesses: Mapping[str, tuple[_Access, ...]]
    items: Mapping[str, float]
    wholes: Mapping[str, float]
    temporary: frozenset[str]
    steps: dict[tuple[str, Loop], float | None] = field(default_factory=dict)


def arrays_of(program: Program, sizes: Mapping[str, int]) -> Arrays:
    """The arrays of a program."""
    accesses: dict[str, list[_Access]] = {n: [] for n in program.arrays}
    for s in program.statements:
        for array, access in _accesses(s):
            accesses[array].append(access)
    items = {n: float(item_bytes(a.dtype)) for n, a in program.arrays.items()}
    wholes = {n: items[n] * prod(max(e.evaluate(sizes), 1) for e in a.shape) for n, a in program.arrays.items()}
    temporary = frozenset(n for n, a in program.arrays.items() if a.is_temporary)
    return Arrays({n: tuple(found) for n, found in accesses.items()}, items, wholes, temporary)


@lru_cache(maxsize=2048)  # the same for all orders of a program
def _accesses(s: Statement) -> tuple[tuple[str, _Access], ...]:
    """(array, access) of a statement."""
    result = []
    for array, access in s.accesses():
        index = None
        if isinstance(access, isl.MultiAff):
            index = tuple(Affine.from_aff(access.get_aff(i), s.dims) for i in range(access.dim(isl.dim_type.out)))
        result.append((array, _Access(s.name, index, tuple(i.names() for i in index or ()))))
    return tuple(result)


def traffic(arrays: Arrays, nest: Nest, cache: int, line: int) -> float:
    """Bytes moved into a cache of some bytes by all of a nest, `line` of them together."""
    return sum(_Traffic(arrays, cache, line).node(nest).moved.values())


@dataclass(frozen=True, slots=True)
class _Traffic:
    arrays: Arrays
    cache: float
    line: int

    def node(self, nest: Nest) -> _Touched:
        """The bytes of one execution of a node."""
        match nest:
            case Run(statement, times):
                return self.run(statement, times)
            case Sequence(children):
                return self.together([self.node(c) for c in children])
            case Loop():
                return self.loop(nest)

    def run(self, statement: Statement, times: float) -> _Touched:
        """One instance: a cache line at most of each array."""
        names = {statement.array, *(r.array for r in statement.reads())}
        some = min(times, 1.0)
        room = {n: some * self.width(n) for n in names}
        return _Touched(room, room)

    def together(self, parts: Several[_Touched]) -> _Touched:
        """One node after the other."""
        names = dict.fromkeys(n for p in parts for n in p.room)
        room = {n: max(p.room.get(n, 0.0) for p in parts) for n in names}
        if sum(room.values()) <= self.cache:
            return _Touched(room, {n: max(p.moved.get(n, 0.0) for p in parts) for n in names})
        return _Touched(room, {n: sum(p.moved.get(n, 0.0) for p in parts) for n in names})

    def loop(self, loop: Loop) -> _Touched:
        """All iterations of a loop."""
        if isinstance(loop.mark, ContractionMark) and self.cache < inf:
            return _Traffic(self.arrays, inf, self.line).loop(loop)  # the macro-kernel's blocks are made for the caches
        body = self.node(loop.body)
        fits = sum(body.room.values()) <= self.cache
        room, moved = {}, {}
        for name, bytes_ in body.room.items():
            step = self.step(name, loop)
            if step is None:
                room[name], moved[name] = bytes_, body.moved[name] * (1.0 if fits else loop.trips)
            else:
                room[name] = min(bytes_ * max(loop.trips * step, 1.0), self.arrays.wholes[name])
                moved[name] = body.moved[name] * loop.trips * (step if fits else 1.0)
        if sum(room.values()) <= self.cache:
            moved = {n: min(moved[n], room[n]) for n in room}
        return _Touched(room, moved)

    def step(self, array: str, loop: Loop) -> float | None:
        """The share of what an iteration touches that is new in the next one; None where all of it stays."""
        key = array, loop
        if key not in self.arrays.steps:
            self.arrays.steps[key] = self.found_step(array, loop)
        return self.arrays.steps[key]

    def found_step(self, array: str, loop: Loop) -> float | None:
        """The same, looked for."""
        found: float | None = None
        for access in self.arrays.accesses[array]:
            row = loop.rows.get(access.name)
            if row is None:
                continue
            if access.index is None:
                return 1.0
            dims = row.names()
            if any(names & dims for names in access.names[:-1]):
                found = 1.0
            elif access.names and access.names[-1] & dims:
                found = max(found or 0.0, self.arrays.items[array] / self.width(array))
        return None if found is None or self.is_folded(array, loop) else found

    def is_folded(self, array: str, loop: Loop) -> bool:
        """Whether a temporary is read in the iterations that write it, or in the next ones."""
        accesses = self.arrays.accesses[array]
        if array not in self.arrays.temporary or any(a.name not in loop.rows or a.index is None for a in accesses):
            return False
        for axis in zip(*(a.index or () for a in accesses), strict=True):
            apart = [index - loop.rows[a.name] for index, a in zip(axis, accesses, strict=True)]
            steps = [a.constant for a in apart]
            if not any(a.terms for a in apart) and max(steps) - min(steps) <= NEAR:
                return True
        return False

    def width(self, array: str) -> float:
        """Bytes that are moved for one element."""
        return min(float(self.line), self.arrays.wholes[array])
