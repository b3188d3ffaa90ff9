"""One execution of a statement."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field

from polyad.ir.affine import Affine

__all__ = ["Instance"]


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
    locals: Mapping[str, str] = field(default_factory=dict)
    declares: bool = False
    once: bool = False
