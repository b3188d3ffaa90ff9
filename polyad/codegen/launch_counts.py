"""The numbers of blocks and threads of a launch, as formulas of the sizes.

    Count ::= int                  so many
            | Iterations(formula)  of a loop: at least 0, and a guess where no formula says
            | Told(name)           a number that stands before, or that the device says
            | Product(Counts) | Sum(Counts)      1 or 0 of none
            | Groups(Count, by) | Quotient(Count, by)     rounded up, as many as hold them, or down
            | Difference(Count, Count)           at least 0
            | Least(Counts) | Most(Counts)
            | Chosen(Test, Count, Count)         the one where the test holds, else the other
            | Doubled(name, Test)                the first of 1, 2, 4, ... for which it holds, told by that name
    Test  ::= AtMost(Count, Count) | Every(Tests) | Either(Tests)

Python evaluates them for its calls, and they are printed in C for a host without Python (cuda/host/count_text.py).
"""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping
from dataclasses import dataclass

from polyad.ir.affine import Affine
from polyad.machine.device import DEVICE

__all__ = [
    "AtMost",
    "Chosen",
    "Count",
    "Difference",
    "Doubled",
    "Either",
    "Every",
    "Groups",
    "Iterations",
    "Least",
    "Most",
    "Product",
    "Quotient",
    "Sum",
    "Test",
    "Told",
    "evaluated",
    "leaves",
]


@dataclass(frozen=True, slots=True)
class Iterations:
    """The iterations of a loop, at most; None where no formula of the sizes says."""

    formula: Affine | None


@dataclass(frozen=True, slots=True)
class Told:
    """A number that is known at the launch."""

    name: str


@dataclass(frozen=True, slots=True)
class Product:
    """All of them multiplied."""

    counts: tuple[Count, ...]


@dataclass(frozen=True, slots=True)
class Sum:
    """All of them added up."""

    counts: tuple[Count, ...]


@dataclass(frozen=True, slots=True)
class Groups:
    """The groups of `by` that hold so many."""

    count: Count
    by: Count


@dataclass(frozen=True, slots=True)
class Quotient:
    """The groups of `by` that so many fill."""

    count: Count
    by: Count


@dataclass(frozen=True, slots=True)
class Difference:
    """The first without the second, where that is smaller."""

    count: Count
    by: Count


@dataclass(frozen=True, slots=True)
class Least:
    """The least of them."""

    counts: tuple[Count, ...]


@dataclass(frozen=True, slots=True)
class Most:
    """The largest of them."""

    counts: tuple[Count, ...]


@dataclass(frozen=True, slots=True)
class Chosen:
    """One of two numbers."""

    test: Test
    then: Count
    otherwise: Count


@dataclass(frozen=True, slots=True)
class Doubled:
    """The first power of two for which a test holds."""

    name: str
    until: Test


@dataclass(frozen=True, slots=True)
class AtMost:
    """The first is no larger than the second."""

    first: Count
    second: Count


@dataclass(frozen=True, slots=True)
class Every:
    """All of them hold."""

    tests: tuple[Test, ...]


@dataclass(frozen=True, slots=True)
class Either:
    """One of them holds."""

    tests: tuple[Test, ...]


Count = int | Iterations | Told | Product | Sum | Groups | Quotient | Difference | Least | Most | Chosen | Doubled
Test = AtMost | Every | Either


_NOTHING: Mapping[str, int] = {}


def evaluated(count: Count, sizes: Mapping[str, int], told: Mapping[str, int] = _NOTHING) -> int:
    """The value at given sizes.

    Args:
        count: the formula.
        sizes: by name.
        told: what is known at the launch, by name.
    """

    def of(count: Count) -> int:
        match count:
            case int():
                return count
            case Iterations(formula):
                return DEVICE.unknown if formula is None else max(formula.evaluate(sizes), 0)
            case Told(name):
                return found[name]
            case Product(counts):
                return math.prod(map(of, counts))
            case Sum(counts):
                return sum(map(of, counts))
            case Groups(inside, by):
                return -(-of(inside) // of(by))
            case Quotient(inside, by):
                return of(inside) // of(by)
            case Difference(first, second):
                return max(of(first) - of(second), 0)
            case Least(counts):
                return min(map(of, counts))
            case Most(counts):
                return max(map(of, counts))
            case Chosen(test, then, otherwise):
                return of(then if holds(test) else otherwise)
            case Doubled(name, until):
                found[name] = 1
                while not holds(until):
                    found[name] *= 2
                return found[name]

    def holds(test: Test) -> bool:
        match test:
            case AtMost(first, second):
                return of(first) <= of(second)
            case Every(tests):
                return all(map(holds, tests))
            case Either(tests):
                return any(map(holds, tests))

    found = {**told}
    return of(count)


def leaves(count: Count | Test) -> Iterator[Iterations | Told]:
    """The numbers in it that are no constants of it."""
    match count:
        case int():
            pass
        case Iterations() | Told():
            yield count
        case Product(parts) | Sum(parts) | Least(parts) | Most(parts) | Every(parts) | Either(parts):
            for part in parts:
                yield from leaves(part)
        case Groups(first, second) | Quotient(first, second) | Difference(first, second) | AtMost(first, second):
            yield from leaves(first)
            yield from leaves(second)
        case Doubled(name, until):
            yield Told(name)
            yield from leaves(until)
        case Chosen(test, then, otherwise):
            for part in (test, then, otherwise):
                yield from leaves(part)
