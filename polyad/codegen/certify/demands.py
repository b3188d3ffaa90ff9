"""Demands of a program at given sizes: which instances run, and how many of them make an element.

Nothing here knows an order, a loop or a place in memory.
"""

from __future__ import annotations

import zlib
from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field

import islpy as isl

from polyad.codegen.certify.integers import Functions, Integers, index_function
from polyad.codegen.loops.statement_accesses import Touch
from polyad.ir.expr import Indirect
from polyad.ir.program import Program
from polyad.semantics.points import Point, at_sizes, points

__all__ = ["Demands", "Element", "RefusedError"]

Element = tuple[str, Point]
"""An array, and an index into it."""


class RefusedError(Exception):
    """Data choose an element of an array that has none: whatever they are, the call returns an error."""


@dataclass(slots=True, eq=False)
class Demands:
    """A program at given sizes.

    Attributes:
        program: the program.
        touches: the accesses of its statements.
        sizes: parameter -> value.
        instances: statement -> its instances.
        contributions: element -> how many contributions it has.
        defined: the elements that some instance defines or contributes to.
        shapes: array -> its extents.
        chosen: access, by identity, and instance -> what was taken for the element that data decide.
        overwritten: inputs whose memory the program may write.
        copied: element -> the one whose value it has where it lies, so that nobody copies it.
    """

    program: Program
    touches: Mapping[str, tuple[Touch, ...]]
    sizes: Mapping[str, int]
    instances: dict[str, frozenset[Point]] = field(default_factory=dict)
    contributions: Counter[Element] = field(default_factory=Counter)
    defined: set[Element] = field(default_factory=set)
    shapes: dict[str, Point] = field(default_factory=dict)
    chosen: dict[tuple[int, Point], Point] = field(default_factory=dict)
    overwritten: frozenset[str] = frozenset()
    copied: dict[Element, Element] = field(default_factory=dict)
    _functions: Functions = field(default_factory=Functions)

    def __post_init__(self) -> None:
        self.shapes = {
            n: tuple(max(0, e.evaluate(self.sizes)) for e in a.shape) for n, a in self.program.arrays.items()
        }
        for statement in self.program.statements:
            found = points(statement.domain, self.sizes)
            self.instances[statement.name] = frozenset(found)
            write = self.touches[statement.name][0]
            for point in found:
                element = self.element(write, point)
                self.defined.add(element)
                if write.kind == "contribute":
                    self.contributions[element] += 1

    def element(self, touch: Touch, point: Point) -> Element:
        """Return the element that an access reaches. Where data decide, it is some element, always the same one."""
        dims, index = self._functions.of(touch, _index)
        if index is not None:
            return touch.array, index({**self.sizes, **dict(zip(dims, point, strict=True))})
        assert isinstance(touch.access, Indirect), "all others have an index"
        return touch.array, self.some(touch.access, touch.statement.name, point)

    def some(self, access: Indirect, statement: str, point: Point) -> Point:
        """The first or the last element that an instance may reach, as a checksum of it decides.

        Raises:
            RefusedError: there is none.
        """
        key = (id(access), point)
        if key not in self.chosen:
            here = access.may
            for d, value in enumerate(point):
                here = here.fix_val(isl.dim_type.in_, d, isl.Val(value))
            reached = at_sizes(here.range(), self.sizes)
            chosen = reached.lexmin() if zlib.crc32(f"{statement} {point}".encode()) % 2 else reached.lexmax()
            found = points(chosen, {})
            if not found:
                raise RefusedError
            self.chosen[key] = found[0]
        return self.chosen[key]

    def is_given(self, element: Element) -> bool:
        """Whether an element has its value at any time: that of an input that nobody overwrites."""
        return self.program.arrays[element[0]].role == "input" and element[0] not in self.overwritten

    def origin(self, element: Element) -> Element:
        """The element that it is a copy of, itself for others; what is added to is a copy of nothing."""
        while element in self.copied and not self.contributions[element]:
            element = self.copied[element]
        return element

    def begins_with(self, element: Element) -> Element | None:
        """Return the element that an element with contributions begins with, in place of its definition."""
        return self.origin(self.copied[element]) if element in self.copied else None

    def inside(self, element: Element) -> bool:
        """Whether an array has an element."""
        return all(0 <= i < n for i, n in zip(element[1], self.shapes[element[0]], strict=True))


def _index(touch: Touch) -> tuple[Sequence[str], Callable[[Integers], Point] | None]:
    """The dims of a statement, and what computes the index of an access from them; None where data decide."""
    known = tuple(i for i in touch.index if i is not None)
    return touch.statement.dims, index_function(known) if len(known) == len(touch.index) else None
