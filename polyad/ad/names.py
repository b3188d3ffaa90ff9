"""Names of derivatives, spelled here and nowhere else.

The adjoint of array `h` is `h_bar`, its tangent `h_dot`; differentiated again, `h_bar_bar`. The statement that defines
adjoint elements bears the name of the adjoint array (`h_bar`, pieces `h_bar_1`, ...), one that contributes to them is
`h_bar_S` after the statement S that read h, zeros are `h_bar_init`, and the tangent of statement S is `S_dot`. A name
that is taken gets a number.
"""

from __future__ import annotations

from collections.abc import Iterable

from polyad.ir.array import Array
from polyad.ir.names import unique_name
from polyad.ir.program import Program

__all__ = ["Names", "adjoint_of", "contribution_of", "tangent_of"]

_LONGEST = 48
"""A name longer than this is cut back to its first part: it would no longer be read."""


def adjoint_of(name: str) -> str:
    """The adjoint of an array, or of a scan."""
    return f"{name}_bar"


def tangent_of(name: str) -> str:
    """The tangent of an array, of a statement, or of a scan."""
    return f"{name}_dot"


def contribution_of(adjoint: str, statement: str) -> str:
    """The statement by which a read of `statement` contributes to `adjoint`."""
    name = f"{adjoint}_{statement}"
    return name if len(name) <= _LONGEST else adjoint


class Names:
    """The names of one program, and those given since: arrays and statements are two name spaces."""

    def __init__(self, program: Program):
        self._arrays = set(program.arrays) | set(program.params)
        self._statements = {s.name for s in program.statements} | set(program.params)

    def array(self, base: str) -> str:
        """A new array name; `base` where it is free."""
        name = unique_name(base, self._arrays)
        self._arrays.add(name)
        return name

    def statement(self, base: str) -> str:
        """A new statement name; `base` where it is free."""
        name = unique_name(base, self._statements)
        self._statements.add(name)
        return name

    def statements(self) -> frozenset[str]:
        """All statement names in use."""
        return frozenset(self._statements)

    def take(self, arrays: Iterable[Array] = (), statements: Iterable[str] = ()) -> None:
        """Mark names as used."""
        self._arrays.update(a.name for a in arrays)
        self._statements.update(statements)
