"""Polynomials in the sizes with integer coefficients: distances in memory, which are products of extents.

A polynomial maps monomials, sorted tuples of factors, to coefficients other than 0: 4 * B * H + 1 is
{("B", "H"): 4, (): 1}. A factor is a size, or a quotient of sizes that was rounded down.
"""

from __future__ import annotations

from collections.abc import Iterable

from polyad.ir.affine import Affine, Atom

__all__ = ["Polynomial", "polynomial", "product", "total"]

Polynomial = dict[tuple[Atom, ...], int]


def polynomial(value: Affine) -> Polynomial:
    """An affine expression of sizes."""
    result: Polynomial = {(): value.constant} if value.constant else {}
    for atom, coefficient in value.terms:
        result[(atom,)] = coefficient
    return result


def product(left: Polynomial, right: Polynomial) -> Polynomial:
    """left * right."""
    result: Polynomial = {}
    for a, x in left.items():
        for b, y in right.items():
            monomial = tuple(sorted((*a, *b), key=str))
            result[monomial] = result.get(monomial, 0) + x * y
    return {m: c for m, c in result.items() if c}


def total(terms: Iterable[Polynomial]) -> Polynomial:
    """The sum of polynomials."""
    result: Polynomial = {}
    for term in terms:
        for monomial, coefficient in term.items():
            result[monomial] = result.get(monomial, 0) + coefficient
    return {m: c for m, c in result.items() if c}
