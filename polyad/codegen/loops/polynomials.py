"""Polynomials in the sizes with integer coefficients: distances in memory, which are products of extents.

A polynomial maps monomials, sorted tuples of factors, to coefficients other than 0: 4 * B * H + 1 is
{("B", "H"): 4, (): 1}. A factor is a size, or C text for what is not a sum of sizes.
"""

from __future__ import annotations

from collections.abc import Iterable

from polyad.codegen.names import Spelling
from polyad.codegen.text.integer_text import affine_text, integer_constant
from polyad.ir.affine import Affine

__all__ = ["Polynomial", "polynomial", "polynomial_text", "product", "total"]

Polynomial = dict[tuple[str, ...], int]


def polynomial(value: Affine) -> Polynomial:
    """An affine expression of sizes."""
    result: Polynomial = {(): value.constant} if value.constant else {}
    for atom, coefficient in value.terms:
        factor = atom if isinstance(atom, str) else f"({affine_text(Affine(((atom, 1),), 0), str)})"
        result[(factor,)] = coefficient
    return result


def product(left: Polynomial, right: Polynomial) -> Polynomial:
    """left * right."""
    result: Polynomial = {}
    for a, x in left.items():
        for b, y in right.items():
            monomial = tuple(sorted((*a, *b)))
            result[monomial] = result.get(monomial, 0) + x * y
    return {m: c for m, c in result.items() if c}


def total(terms: Iterable[Polynomial]) -> Polynomial:
    """The sum of polynomials."""
    result: Polynomial = {}
    for term in terms:
        for monomial, coefficient in term.items():
            result[monomial] = result.get(monomial, 0) + coefficient
    return {m: c for m, c in result.items() if c}


def polynomial_text(value: Polynomial, spell: Spelling) -> str:
    """4 * B * H + 1, not enclosed in parentheses; what is no size stands behind the sizes."""
    text = ""
    ordered = [(sorted(monomial, key=spell.place), c) for monomial, c in value.items()]
    for monomial, coefficient in sorted(ordered, key=lambda item: (-len(item[0]), [*map(spell.place, item[0])])):
        factors = [spell(f) for f in monomial]
        if abs(coefficient) != 1 or not factors:
            factors.insert(0, integer_constant(abs(coefficient)))
        piece = " * ".join(factors)
        sign = "-" if coefficient < 0 else "+"
        text = f"{text} {sign} {piece}" if text else f"-{piece}" if coefficient < 0 else piece
    return text or "0"
