"""Whether an integer stays within a range, from what conditions and loops around it say: by isl.

    for (int i = 0; i < n; i++)  if (i - 3 < k)        i - 3 is -3 where i is 0

An integer is a sum of numbers that are not taken apart any further: sizes, loop variables, elements.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field

import islpy as isl

from polyad import islx
from polyad.pet.checked.small_sizes import small_sizes

__all__ = ["Atom", "Fact", "LinearSum", "OutOfRange", "counterexample"]


@dataclass(frozen=True, slots=True)
class Atom:
    """A number that is not taken apart.

    Attributes:
        text: as C text.
        least: its least value.
        most: its largest one.
        names: the variables that it depends on.
        is_size: whether the function is given it by value.
        is_data: whether it is read from an array, or comes from what is.
        number: tells atoms of the same text apart.
    """

    text: str
    least: int
    most: int
    names: frozenset[str] = frozenset()
    is_size: bool = False
    is_data: bool = False
    number: int = 0


@dataclass(frozen=True, slots=True)
class LinearSum:
    """constant + sum of factor * atom."""

    constant: int
    terms: Mapping[Atom, int] = field(default_factory=dict)

    def plus(self, other: LinearSum, times: int = 1) -> LinearSum:
        """The sum with a multiple of another one."""
        terms = dict(self.terms)
        for atom, factor in other.terms.items():
            terms[atom] = terms.get(atom, 0) + times * factor
        return LinearSum(self.constant + times * other.constant, {a: f for a, f in terms.items() if f})

    def times(self, factor: int) -> LinearSum:
        """The multiple."""
        return LinearSum(0).plus(self, factor)

    @property
    def is_data(self) -> bool:
        """Whether it depends on what is read from arrays."""
        return any(atom.is_data for atom in self.terms)

    @property
    def names(self) -> frozenset[str]:
        """The variables that it depends on."""
        return frozenset().union(*(atom.names for atom in self.terms))


Fact = tuple[LinearSum, str]
"""A sum, and what it is: ">= 0" or "= 0"."""


@dataclass(frozen=True, slots=True)
class OutOfRange:
    """An instance in which a number leaves a range.

    Attributes:
        value: the number there.
        at: what it consists of: text -> value.
        sizes: [sizes] -> { : ... } for which it does somewhere; None where these are not only small ones.
    """

    value: int
    at: Mapping[str, int]
    sizes: isl.Set | None


def counterexample(number: LinearSum, least: int, most: int | None, facts: Iterable[Fact]) -> OutOfRange | None:
    """Return an instance in which a number leaves least .. most although all facts hold; None where it never does."""
    if not number.terms:
        fits = least <= number.constant and (most is None or number.constant <= most)
        return None if fits else OutOfRange(number.constant, {}, None)
    if most is None and number.constant >= least and all(a.least >= 0 and f > 0 for a, f in number.terms.items()):
        return None
    facts = list(facts)
    atoms = list(dict.fromkeys(a for part in (number, *(f for f, _ in facts)) for a in part.terms))
    names = {atom: f"v{k}" for k, atom in enumerate(atoms)}
    sizes, others = [a for a in atoms if a.is_size], [a for a in atoms if not a.is_size]
    conditions = [f"{a.least} <= {names[a]} <= {a.most}" for a in atoms]
    conditions += [f"{_text(part, names)} {relation}" for part, relation in facts]
    value = _text(number, names)
    space = f"[{', '.join(names[a] for a in sizes)}] -> {{ [{', '.join(names[a] for a in others)}] : "
    above = "" if most is None else f" or {value} > {most}"
    found = isl.Set(f"{space}{' and '.join(conditions)} and ({value} < {least}{above}) }}")
    near = found.intersect(isl.Set(f"{space}{value} = {least - 1} }}"))  # as plain an instance as there is
    point = islx.witness(found if near.is_empty() else near, [names[a] for a in others])
    if point is None:
        return None
    values = {**point[0], **point[1]}
    at = {a.text: values[names[a]] for a in atoms if a in number.terms}
    result = number.constant + sum(f * values[names[a]] for a, f in number.terms.items())
    wild = found.params()
    small = bool(sizes) and bool(wild.is_subset(small_sizes(wild.get_space())))
    return OutOfRange(result, at, _named(wild, sizes) if small else None)


def _named(sizes: isl.Set, atoms: Sequence[Atom]) -> isl.Set:
    for position, atom in enumerate(atoms):
        sizes = sizes.set_dim_name(isl.dim_type.param, position, atom.text)
    return sizes


def _text(number: LinearSum, names: Mapping[Atom, str]) -> str:
    return " ".join([str(number.constant), *(f"{f:+d}{names[a]}" for a, f in number.terms.items())])
