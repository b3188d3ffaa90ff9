"""Names that index expressions are made of: sizes and axes."""

from __future__ import annotations

import itertools
import keyword
import re
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any, Literal

from polyad import islx
from polyad.errors import DefinitionError
from polyad.ir.affine import Affine, Atom
from polyad.ir.names import MOST_LETTERS

__all__ = [
    "Axis",
    "Condition",
    "Size",
    "Symbols",
    "check_identifier",
    "check_index",
    "fresh",
    "merge_symbols",
    "upper_bound",
]

_SERIAL = itertools.count()
_IDENTIFIER = re.compile(r"[A-Za-z_][A-Za-z0-9_]*")


def fresh(hint: str) -> str:
    """A name nobody has: `hint$n`. `$n` is stripped wherever people read it."""
    return f"{hint}${next(_SERIAL)}"


def check_identifier(name: object, what: str) -> str:
    """Refuse names that C or the text of a program could not spell.

    Raises:
        DefinitionError: not an ASCII identifier, longer than `MOST_LETTERS`, or a keyword of Python.
    """
    if not isinstance(name, str) or not _IDENTIFIER.fullmatch(name):
        raise DefinitionError(
            f"{what} name {name!r} is not an identifier: use letters, digits and _, not starting with a digit"
        )
    if len(name) > MOST_LETTERS:
        raise DefinitionError(
            f"{what} name {name[:20]!r}... has {len(name)} letters; it becomes part of file names, so take at most "
            f"{MOST_LETTERS}"
        )
    if keyword.iskeyword(name):
        raise _spoken_for(name, what, "Python")
    return name


def check_index(name: object, what: str) -> str:
    """Refuse names of sizes and axes that isl could not spell either.

    Raises:
        DefinitionError: as `check_identifier`, or a word of isl's own syntax.
    """
    index = check_identifier(name, what)
    if index.lower() in islx.KEYWORDS:
        raise _spoken_for(index, what, "isl")
    return index


def _spoken_for(name: str, what: str, whose: str) -> DefinitionError:
    return DefinitionError(f"{what} name {name!r} is a word of {whose}'s syntax; choose another, {name}_ for example")


@dataclass(frozen=True, slots=True)
class Size:
    """A size parameter, at least `least`."""

    name: str
    least: int = 1


@dataclass(frozen=True, slots=True, eq=False)
class Condition:
    """An affine truth value.

    Attributes:
        test: a scalar of dtype bool.
        axes: the names of the axes that it mentions.
    """

    test: Any
    axes: frozenset[str]


@dataclass(frozen=True, slots=True, eq=False)
class Axis:
    """An index variable lower <= axis < upper.

    Attributes:
        name: unique in the process.
        lower: first value; may use sizes and outer axes.
        upper: one past the last value.
        kind: what made it: the axes of a compute, a reduction, or the time of a scan.
        symbols: what `lower` and `upper` are made of.
        level: nesting depth of a scan axis, 0 outermost.
        guards: further conditions on it, each an expression that is not negative.
        made: for the axis of a scan, the definitions that were made in its body.
        conditions: the affine truth values under which a branch is being traced: instances are those where they hold.
        direction: for the axis of a scan, -1 where it runs from the last value to the first.
    """

    name: str
    lower: Affine
    upper: Affine
    kind: Literal["compute", "reduce", "scan"]
    symbols: Symbols = field(default_factory=dict)
    level: int = 0
    guards: tuple[Affine, ...] = ()
    made: list[Any] = field(default_factory=list)
    conditions: tuple[Condition, ...] = ()
    direction: Literal[1, -1] = 1

    @property
    def hint(self) -> str:
        """The user's word for it."""
        return self.name.partition("$")[0]


Symbols = Mapping[str, Size | Axis]


def merge_symbols(*tables: Symbols) -> dict[str, Size | Axis]:
    """All symbols together; a size declared twice keeps its stronger lower bound."""
    result: dict[str, Size | Axis] = {}
    for table in tables:
        for name, symbol in table.items():
            known = result.get(name)
            if isinstance(known, Size) and isinstance(symbol, Size) and known.least >= symbol.least:
                continue
            result[name] = symbol
    return result


def upper_bound(bound: Affine, symbols: Symbols) -> Affine:
    """A bound of an axis-dependent expression from above, over sizes only; its largest value without quotients."""

    def varies(atom: Atom) -> bool:
        names = [atom] if isinstance(atom, str) else atom.numerator.names()
        return any(isinstance(symbols.get(n), Axis) for n in names)

    while any(varies(a) for a, _ in bound.terms):
        total = Affine.of(bound.constant)
        for atom, c in bound.terms:
            if not varies(atom):
                largest = Affine.build({atom: 1}, 0)
            elif isinstance(atom, str):
                axis = symbols[atom]
                assert isinstance(axis, Axis)
                largest = axis.upper - 1 if c > 0 else axis.lower
            elif c > 0:
                largest = upper_bound(atom.numerator, symbols) // atom.divisor
            else:
                largest = -upper_bound(-atom.numerator, symbols) // atom.divisor
            total = total + largest * c
        bound = total
    return bound
