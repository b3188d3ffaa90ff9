"""Quasi-affine integer expressions in plain Python: sizes, extents and index expressions.

    Affine ::= constant + sum of coefficient * Atom
    Atom   ::= name | FloorDiv(Affine, positive int)

They are values: hashable, comparable, printable. isl stays the authority on sets; this class is how an expression is
written, printed into C, and evaluated.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from functools import cached_property

import islpy as isl

from polyad.errors import DefinitionError

__all__ = ["Affine", "Atom", "FloorDiv", "position_in_rows"]


@dataclass(frozen=True, slots=True)
class FloorDiv:
    """floor(numerator / divisor) with divisor >= 2."""

    numerator: Affine
    divisor: int

    def __str__(self) -> str:
        return f"({self.numerator}) // {self.divisor}"


Atom = str | FloorDiv


def _place(term: tuple[Atom, int]) -> tuple[int, str]:
    atom = term[0]
    return (0, atom) if isinstance(atom, str) else (1, str(atom))


@dataclass(frozen=True)
class Affine:
    """constant + sum(coefficient * atom); `terms` is sorted and holds no zero coefficient."""

    terms: tuple[tuple[Atom, int], ...] = ()
    constant: int = 0

    def __init__(self, terms: tuple[tuple[Atom, int], ...] = (), constant: int = 0) -> None:
        # Compiling makes a hundred thousand of them; what a frozen class does by itself takes three times as long.
        own = self.__dict__
        own["terms"] = terms
        own["constant"] = constant

    def __hash__(self) -> int:
        # Asked for again and again where they are in keys of what is known already.
        own = self.__dict__
        if "_hash" not in own:
            own["_hash"] = hash((self.terms, self.constant))
        found: int = own["_hash"]
        return found

    def __reduce__(self) -> tuple[type[Affine], tuple[tuple[tuple[Atom, int], ...], int]]:
        # Names have other hashes in another process.
        return Affine, (self.terms, self.constant)

    @staticmethod
    def of(value: Affine | int | str) -> Affine:
        """The expression for an integer, a name, or itself."""
        if isinstance(value, Affine):
            return value
        if isinstance(value, str):
            return Affine(((value, 1),), 0)
        return Affine((), int(value))

    @staticmethod
    def build(terms: Mapping[Atom, int], constant: int) -> Affine:
        """Normalise a mapping atom -> coefficient."""
        kept = [item for item in terms.items() if item[1]]
        if len(kept) > 1:
            kept.sort(key=_place)
        return Affine(tuple(kept), constant)

    @cached_property
    def is_constant(self) -> bool:
        """True when no name occurs."""
        return not self.terms

    def __add__(self, other: Affine | int) -> Affine:
        return self._plus(Affine.of(other), 1)

    def _plus(self, other: Affine, factor: int) -> Affine:
        """self + factor * other."""
        if not other.terms:
            return Affine(self.terms, self.constant + factor * other.constant)
        if not self.terms and factor == 1:
            return Affine(other.terms, self.constant + other.constant)
        terms = dict(self.terms)
        for atom, c in other.terms:
            terms[atom] = terms.get(atom, 0) + factor * c
        return Affine.build(terms, self.constant + factor * other.constant)

    __radd__ = __add__

    def __neg__(self) -> Affine:
        return self * -1

    def __sub__(self, other: Affine | int) -> Affine:
        return self._plus(Affine.of(other), -1)

    def __rsub__(self, other: Affine | int) -> Affine:
        return Affine.of(other) - self

    def __mul__(self, factor: int) -> Affine:
        if not factor:
            return Affine()
        return Affine(tuple((a, c * factor) for a, c in self.terms), self.constant * factor)

    __rmul__ = __mul__

    def __floordiv__(self, divisor: int) -> Affine:
        if divisor == 1:
            return self
        if all(c % divisor == 0 for _, c in self.terms):
            return Affine(tuple((a, c // divisor) for a, c in self.terms), self.constant // divisor)
        return Affine(((FloorDiv(self, divisor), 1),), 0)

    def __mod__(self, divisor: int) -> Affine:
        return self - (self // divisor) * divisor

    def names(self) -> frozenset[str]:
        """All names in the expression, inside divisions too."""
        found: set[str] = set()
        for atom, _ in self.terms:
            if isinstance(atom, str):
                found.add(atom)
            else:
                found |= atom.numerator.names()
        return frozenset(found)

    def substitute(self, values: Mapping[str, Affine]) -> Affine:
        """Replace names by expressions."""
        if not values:
            return self
        terms: dict[Atom, int] = {}
        constant = self.constant
        for atom, c in self.terms:
            if not isinstance(atom, str):
                new = atom.numerator.substitute(values) // atom.divisor
            elif atom in values:
                new = values[atom]
            else:
                terms[atom] = terms.get(atom, 0) + c
                continue
            constant += c * new.constant
            for inner, factor in new.terms:
                terms[inner] = terms.get(inner, 0) + c * factor
        return Affine.build(terms, constant)

    def evaluate(self, values: Mapping[str, int]) -> int:
        """The integer value under an assignment of all names."""
        total = self.constant
        for atom, c in self.terms:
            if isinstance(atom, str):
                total += c * values[atom]
            else:
                total += c * (atom.numerator.evaluate(values) // atom.divisor)
        return total

    def render(self, name: Callable[[str], str], floordiv: Callable[[str, int], str]) -> str:
        """Spell the expression with the given spellings of names and divisions."""
        text = ""
        for atom, c in self.terms:
            spelled = (
                name(atom) if isinstance(atom, str) else floordiv(atom.numerator.render(name, floordiv), atom.divisor)
            )
            piece = spelled if abs(c) == 1 else f"{abs(c)} * {spelled}"
            sign = "-" if c < 0 else "+"
            text = (f"-{piece}" if c < 0 else piece) if not text else f"{text} {sign} {piece}"
        if not text:
            return str(self.constant)
        if self.constant:
            text += f" {'-' if self.constant < 0 else '+'} {abs(self.constant)}"
        return text

    def __str__(self) -> str:
        return self.render(lambda n: n, lambda num, den: f"(({num}) // {den})")

    def to_aff(self, space: isl.Space, position: Mapping[str, tuple[isl.dim_type, int]]) -> isl.Aff:
        """The isl expression on the domain `space` (a set space).

        Args:
            space: { S[i...] } with all names of this expression among its parameters and dimensions.
            position: name -> (dim_type.param or dim_type.in_, index).

        Raises:
            DefinitionError: a number in it is outside of int64.
        """
        aff = isl.Aff.zero_on_domain(isl.LocalSpace.from_space(space)).set_constant_val(_val(self.constant))
        for atom, c in self.terms:
            if isinstance(atom, str):
                kind, index = position[atom]
                aff = aff.set_coefficient_val(kind, index, _val(c))
            else:
                quotient = atom.numerator.to_aff(space, position).scale_down_val(_val(atom.divisor)).floor()
                aff = aff.add(quotient.scale_val(_val(c)))
        return aff

    @staticmethod
    def from_aff(aff: isl.Aff, dims: tuple[str, ...]) -> Affine:
        """Read an integer-valued isl expression back; `dims` names its domain dimensions."""
        denominator = _integer(aff.get_denominator_val())
        scaled = aff.scale_val(isl.Val(denominator)) if denominator != 1 else aff
        terms: dict[Atom, int] = {}

        def put(atom: Atom | None, coefficient: int) -> None:
            if coefficient and atom is not None:
                terms[atom] = terms.get(atom, 0) + coefficient

        for i in range(scaled.dim(isl.dim_type.param)):
            put(
                scaled.get_dim_name(isl.dim_type.param, i),
                _integer(scaled.get_coefficient_val(isl.dim_type.param, i)),
            )
        for i in range(scaled.dim(isl.dim_type.in_)):
            put(dims[i], _integer(scaled.get_coefficient_val(isl.dim_type.in_, i)))
        result = Affine.build(terms, _integer(scaled.get_constant_val()))
        for i in range(scaled.dim(isl.dim_type.div)):
            c = _integer(scaled.get_coefficient_val(isl.dim_type.div, i))
            if c:
                result = result + _from_div(scaled.get_div(i), dims) * c
        return result // denominator


def position_in_rows(row: Affine, column: Affine) -> Affine | None:
    """p, where an index says row p // e and column p % e, as positions in rows of e elements do; else None."""
    for atom, _ in row.terms:
        if isinstance(atom, FloorDiv) and row == Affine.of(atom.numerator) // atom.divisor:
            return atom.numerator if column == atom.numerator % atom.divisor else None
    return None


def _val(number: int) -> isl.Val:
    """An integer of an index expression for isl.

    Raises:
        DefinitionError: it is outside of int64.
    """
    if not -(2**63) <= number < 2**63:
        raise DefinitionError(f"an index expression contains {number}, which is outside of the range of int64")
    return isl.Val(number)


def _integer(value: isl.Val) -> int:
    """The integer that isl holds; `to_python` goes by way of text, which takes ten times as long.

    For what no `long` holds, isl returns 0.
    """
    found = value.get_num_si() if value.is_int() else 0
    return found if found or value.is_zero() else int(value.to_python())


def _from_div(div: isl.Aff, dims: tuple[str, ...]) -> Affine:
    """floor(div) for an isl division expression, given as numerator over its denominator."""
    denominator = _integer(div.get_denominator_val())
    return Affine.from_aff(div.scale_val(isl.Val(denominator)), dims) // denominator
