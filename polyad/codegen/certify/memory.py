"""Positions of elements: arguments, pieces of the workspace with folded and skewed arrays, C variables by scope."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, field
from itertools import product

from polyad.codegen.certify.demands import Demands, Element
from polyad.codegen.certify.integers import index_function
from polyad.codegen.certify.threads import Cell, Chain, RaceError
from polyad.codegen.plan import Plan
from polyad.ir.affine import Affine
from polyad.semantics.points import Point

__all__ = ["CVariable", "Memory", "PlaceError", "WrongError", "text"]


class WrongError(Exception):
    """The loops do not do what the program says."""


class PlaceError(Exception):
    """There is no such place."""


@dataclass(slots=True, eq=False)
class CVariable:
    """A C variable, or one element of a short array.

    Attributes:
        cell: what it holds.
        chain: the threads that have it, each its own.
        lanes: elements of the short array; 0 where it is none.
    """

    cell: Cell
    chain: Chain
    lanes: int = 0

    def since(self, chain: Chain, writes: bool) -> Chain:
        """The frames that were entered since it was declared: threads in these have it in common.

        Raises:
            RaceError: one of the threads that each have their own changes its own alone.
        """
        owners = {frame.construct: frame.part for frame in self.chain}
        if writes and any(frame.part != owners.get(frame.construct, frame.part) for frame in chain):
            raise RaceError("is changed by one thread of a region, while each has one of its own")
        return tuple(frame for frame in chain if frame.construct not in owners)


@dataclass(slots=True, eq=False)
class Memory:
    """All memory of one call.

    Attributes:
        plan: the kernel.
        demands: the program at given sizes.
        cells: piece of the workspace, or argument, and position -> what lies there.
        panels: name of packed panels -> column and row -> the element that is there, and what was found in it.
        scopes: the C variables by block, innermost last, and elements of short arrays.
        aliases: C variable -> the one that it is a part of.
        copies: array that threads have copies of -> the number of the copy that is used now.
    """

    plan: Plan
    demands: Demands
    cells: dict[tuple[object, int, int], Cell] = field(default_factory=dict)
    panels: dict[str, dict[tuple[int, int], tuple[Element, Cell]]] = field(default_factory=dict)
    scopes: list[dict[str | tuple[str, int], CVariable]] = field(default_factory=lambda: [{}])
    aliases: dict[str, str] = field(default_factory=dict)
    copies: dict[str, int] = field(default_factory=dict)
    _placed: dict[str, tuple[object, Callable[[Point], int], int]] = field(default_factory=dict)

    def cell(self, element: Element) -> Cell:
        """The place of an element."""
        array = element[0]
        if not self.demands.inside(element):
            raise PlaceError(f"{text(element)} is outside of the array, which is {self.demands.shapes[array]}")
        return self.at(array, self.position(element), element)

    def at(self, array: str, position: int, element: Element | None = None) -> Cell:
        """The place of what lies at a position in the memory of an array: of an element, where it is known which."""
        piece, _, size = self._memory(array)
        if not 0 <= position < size:
            what = "an element" if element is None else text(element)
            raise PlaceError(f"{what} would lie at {position} of a piece with {size} elements")
        key = (piece, self.copies.get(array, 0), position)
        if key not in self.cells:
            self.cells[key] = Cell()
        return self.cells[key]

    def position(self, element: Element) -> int:
        """Return the position of an element in the memory of its array."""
        return self._memory(element[0])[1](element[1])

    def give(self, array: str) -> None:
        """The caller passes an array that is overwritten: all its elements are there."""
        for index in product(*(range(extent) for extent in self.demands.shapes[array])):
            cell = self.cell((array, index))
            cell.element, cell.by = (array, index), "the caller"

    def begin(self, array: str, copy: int) -> None:
        """An iteration begins with a copy of an array, in which another one may have left anything."""
        piece = self.plan.known.places[array]
        self.copies[array] = copy
        for key, cell in self.cells.items():
            if key[:2] == (piece, copy):
                cell.element, cell.count = None, 0

    def alias(self, parts: Mapping[str, str]) -> None:
        """Do to a variable what is done to a part of it."""
        self.aliases |= {part: self.aliases.get(whole, whole) for part, whole in parts.items()}

    def variable(self, name: str) -> CVariable:
        """The C variable that a name stands for here."""
        name = self.aliases.get(name, name)
        for scope in reversed(self.scopes):
            if name in scope:
                return scope[name]
        raise PlaceError(f"the variable {name} is not declared here")

    def lane(self, name: str, number: int) -> CVariable:
        """One element of a short array, which is as old as the array."""
        scope = next(s for s in reversed(self.scopes) if name in s)
        if not 0 <= number < scope[name].lanes:
            raise PlaceError(f"{name} has {scope[name].lanes} lanes, and none of number {number}")
        if (name, number) not in scope:
            scope[name, number] = CVariable(Cell(), scope[name].chain)
        return scope[name, number]

    def declare(self, name: str, chain: Chain, lanes: int = 0) -> CVariable:
        """Declare a C variable in the innermost block; what another one of its name left in its lanes is gone."""
        own = self.scopes[-1]
        for key in [key for key in own if isinstance(key, tuple) and key[0] == name]:
            del own[key]
        variable = own[name] = CVariable(Cell(), chain, lanes)
        return variable

    @contextmanager
    def scope(self) -> Iterator[None]:
        """A block."""
        self.scopes.append({})
        try:
            yield
        finally:
            self.scopes.pop()

    def _memory(self, array: str) -> tuple[object, Callable[[Point], int], int]:
        if array not in self._placed:
            self._placed[array] = self._place(array)
        return self._placed[array]

    def _place(self, array: str) -> tuple[object, Callable[[Point], int], int]:
        """The piece that an array lies in, the position of an element in it, and the number of its elements."""
        plan, sizes = self.plan, self.demands.sizes
        home = plan.storage.memory.homes.get(array, array)
        slots, shape = plan.storage.slots.get(array, {}), plan.program.arrays[array].shape
        extents = [max(0, Affine.of(slots.get(d, e)).evaluate(sizes)) for d, e in enumerate(shape)]
        number = plan.known.places.get(array)
        size = 1
        for extent in plan.program.arrays[home].shape if number is None else self._extents(number):
            size *= max(0, Affine.of(extent).evaluate(sizes))
        return (home if number is None else number), _position(plan, array, extents, sizes), size

    def _extents(self, number: int) -> tuple[Affine, ...]:
        return self.plan.storage.memory.slots[number].extents


def _position(plan: Plan, array: str, extents: list[int], sizes: Mapping[str, int]) -> Callable[[Point], int]:
    """Index -> position: as array_text.py writes it in C, whose remainders are of no negative numbers."""
    slots, layout = plan.storage.slots.get(array, {}), plan.storage.layouts.get(array)
    if layout is None:

        def plain(index: Point) -> int:
            at = 0
            for d, (i, extent) in enumerate(zip(index, extents, strict=True)):
                at = at * extent + (i % extent if d in slots and extent else i)
            return at

        return plain
    dims = [f"d{d}" for d in range(len(extents))]
    moved = index_function(tuple(layout.index([Affine.of(d) for d in dims], [Affine.of(e) for e in extents])))
    order = layout.order(len(extents))

    def skewed(index: Point) -> int:
        at, values = 0, moved({**sizes, **dict(zip(dims, index, strict=True))})
        if any(values[d] < 0 for d in layout.skews):
            raise WrongError(
                f"{array}{list(index)} lies at a remainder of {list(values)}, which C takes of no negative number"
            )
        for d in order:
            at = at * extents[d] + (values[d] % extents[d] if d in layout.skews else values[d])
        return at

    return skewed


def text(element: Element) -> str:
    """h[3, 0]."""
    return f"{element[0]}[{', '.join(map(str, element[1]))}]"
