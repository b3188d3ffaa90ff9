"""One execution of a statement, and the C variables that it finds elements in."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field

from polyad.ir.affine import Affine

__all__ = ["Instance", "Lane", "Local", "variable_of"]


@dataclass(frozen=True, slots=True)
class Lane:
    """z_1[lane]: an element of a C array that is one vector.

    Attributes:
        variable: the array.
        lane: the iterator over its elements.
    """

    variable: str
    lane: str

    def __str__(self) -> str:
        """As C has it."""
        return f"{self.variable}[{self.lane}]"


Local = str | Lane
"""A C variable, or a lane of one."""


def variable_of(local: Local) -> str:
    """Return the name that is declared."""
    return local.variable if isinstance(local, Lane) else local


@dataclass(frozen=True, slots=True, eq=False)
class Instance:
    """One execution of a statement.

    Attributes:
        number: of this place in the tree that the schedule gives; copies that passes make of it keep the number.
        statement: its name.
        args: values of the statement's dims, in terms of sizes and iterators in scope.
        locals: array -> C variable that stands for its element here.
        declares: the write declares its C variable.
        once: functions that it calls are compiled once for all calls (shared_calls.py).
    """

    number: int
    statement: str
    args: tuple[Affine, ...]
    locals: Mapping[str, Local] = field(default_factory=dict)
    declares: bool = False
    once: bool = False
