"""Effects of loops on memory, one after the other: events, each an access at a place of the text.

An event is a set of executions p[i...] with one dimension for each loop around, and what each of them does:

    time      { p[i...] -> [position, i, position, ...] }       when, in one thread
    cell      { p[i...] -> m[...] }                             which place in memory
    element   { p[i...] -> A[...] }                             of which element the program says it is

Where data choose the element, there is an execution for each that they may choose.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

import islpy as isl

__all__ = ["Construct", "Event", "Kind", "NotModelledError", "Ran", "Section"]

Kind = Literal["define", "contribute", "read", "take", "put"]
"""Makes an element; adds to it; needs all of it; copies from a place whatever part of it is there; to a place."""


class NotModelledError(Exception):
    """Something that no sets here stand for; the message says what."""


@dataclass(frozen=True, slots=True)
class Construct:
    """A loop whose iterations run at the same time.

    Attributes:
        number: of the construct.
        depth: which of the loops around it is.
        exempt: variables of which each iteration has a part, added up behind the loop.
    """

    number: int
    depth: int
    exempt: frozenset[str] = frozenset()


@dataclass(frozen=True, slots=True)
class Section:
    """A region of threads, and what of it one of them does.

    Attributes:
        number: of the region.
        depth: how many loops are around it.
        part: the number of the divided loop, or of the section that one thread runs; None where every thread runs it.
        inner: how many loops are around a part, the divided one included.
    """

    number: int
    depth: int
    part: int | None = None
    inner: int = 0


@dataclass(frozen=True, slots=True, eq=False)
class Event:
    """An access.

    Attributes:
        name: of the tuple of its executions.
        title: who accesses, for messages.
        kind: what it does.
        where: { p[i...] }.
        time: { p[i...] -> [...] }.
        space: the name of the cells.
        cell: { p[i...] -> m[...] }.
        piece: what holds the cells: other cells of one piece may lie in the same memory.
        array: of the element.
        element: { p[i...] -> A[...] }.
        constructs: the concurrent loops around, outermost first.
        section: the region around.
        own: the cell was declared in the region: each of its threads has one.
        moment: the components of its time, as isl's text.
    """

    name: str
    title: str
    kind: Kind
    where: isl.Set
    time: isl.Map
    space: str
    cell: isl.Map
    piece: object
    array: str
    element: isl.Map
    constructs: tuple[Construct, ...] = ()
    section: Section | None = None
    own: bool = False
    moment: tuple[str, ...] = ()

    @property
    def writes(self) -> bool:
        """Whether it changes what the cell holds."""
        return self.kind in ("define", "contribute", "put")

    @property
    def needs(self) -> bool:
        """Whether it has to find something in the cell."""
        return self.kind in ("contribute", "read", "take")


@dataclass(frozen=True, slots=True, eq=False)
class Ran:
    """Executions of a statement at one place: { p[i...] -> S[dims] }."""

    statement: str
    instances: isl.Map
