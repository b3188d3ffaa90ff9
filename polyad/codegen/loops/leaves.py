"""Nodes of the loop IR that hold no nodes: names, variables, and what threads do without a body (nodes.py)."""

from __future__ import annotations

from dataclasses import dataclass

from polyad.codegen.loops.instance import Local
from polyad.codegen.loops.loop_values import Value
from polyad.ir.affine import Affine
from polyad.ir.statement import Reduction

__all__ = [
    "AddUp",
    "Assume",
    "Barrier",
    "Cell",
    "Copies",
    "Copy",
    "CopyPointer",
    "Declare",
    "Let",
    "Load",
    "SlotPointer",
    "Store",
    "Subtotal",
    "Sum",
]


@dataclass(frozen=True, slots=True, eq=False)
class Let:
    """A named integer, visible in the rest of the block."""

    name: str
    value: Value


@dataclass(frozen=True, slots=True, eq=False)
class Assume:
    """A lower bound of an iterator, for compilers that do not see it."""

    iterator: str
    least: Value


@dataclass(frozen=True, slots=True, eq=False)
class Cell:
    """An array element in terms of sizes and iterators in scope."""

    array: str
    index: tuple[Affine, ...]


@dataclass(frozen=True, slots=True, eq=False)
class Load:
    """Declare a variable that holds an element, or set one that is declared already."""

    local: Local
    cell: Cell
    declares: bool = True


@dataclass(frozen=True, slots=True, eq=False)
class Store:
    """Write a variable back to its element."""

    local: Local
    cell: Cell


@dataclass(frozen=True, slots=True, eq=False)
class Declare:
    """Declare a variable with an element of an array for each of some lanes."""

    local: str
    array: str
    lanes: int


@dataclass(frozen=True, slots=True, eq=False)
class Barrier:
    """The threads of a region wait for each other."""


@dataclass(frozen=True, slots=True)
class Subtotal:
    """Declare a variable for a part of a sum, which has nothing in it yet (subtotals.py).

    Attributes:
        local: the variable.
        total: the variable of the sum.
        dtype: its element type.
        whole: that of the sum.
    """

    local: str
    total: str
    dtype: str
    whole: str


@dataclass(frozen=True, slots=True, eq=False)
class AddUp:
    """Add a subtotal to its sum."""

    subtotal: Subtotal


@dataclass(frozen=True, slots=True)
class Sum:
    """A C variable that a loop reduces into.

    Attributes:
        local: the variable.
        array: the scalar that it stands for.
        reduction: how.
        part: the variable of one part, into which the loop reduces.
        parts: the C array of the parts.
        dtype: the element type of all three, "" for that of the array.
    """

    local: str
    array: str
    reduction: Reduction
    part: str
    parts: str
    dtype: str = ""


@dataclass(frozen=True, slots=True, eq=False)
class Copies:
    """A named integer: how many copies there are of the arrays of which each thread of a loop has one.

    Attributes:
        name: of the integer.
        count: the iterations of the loop; there are no more copies than these.
    """

    name: str
    count: Affine


@dataclass(frozen=True, slots=True, eq=False)
class Copy:
    """A named integer: the copy of the thread that has an iteration.

    Attributes:
        name: of the integer.
        iteration: which one it is: 0, 1, ...
        count: the iterations of the loop.
        copies: the name of the number of copies.
    """

    name: str
    iteration: Affine
    count: Affine
    copies: str


@dataclass(frozen=True, slots=True, eq=False)
class CopyPointer:
    """The pointer to an array of which each thread has a copy; `copy`: the name of its number, "" for the first."""

    array: str
    copy: str


@dataclass(frozen=True, slots=True, eq=False)
class SlotPointer:
    """The pointer to an array that shares a slot of the workspace with others.

    Attributes:
        array: the array.
        slot: the number of the slot.
    """

    array: str
    slot: int
