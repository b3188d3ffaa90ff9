"""Polynomials with integer coefficients: distances in memory, which are products of extents, and subscripts.

A polynomial maps monomials to coefficients other than 0. In distances a monomial is a sorted tuple of factors:
4 * B * H + 1 is {("B", "H"): 4, (): 1}. A factor is a size, or a quotient of sizes that was rounded down.
"""

from __future__ import annotations

from collections.abc import Hashable, Iterable, Mapping
from typing import TypeVar

from polyad.ir.affine import Affine, Atom

__all__ = ["Polynomial", "gathered", "polynomial", "product", "total"]

Monomial = TypeVar("Monomial", bound=Hashable)

Polynomial = dict[tuple[Atom, ...], int]


def gathered(terms: Iterable[tuple[Monomial, int]]) -> dict[Monomial, int]:
    """The sum of terms: those of one monomial added up, without those that cancel."""
    result: dict[Monomial, int] = {}
    for monomial, coefficient in terms:
        result[monomial] = result.get(monomial, 0) + coefficient
    return {m: c for m, c in result.items() if c}


def total(polynomials: Iterable[Mapping[Monomial, int]]) -> dict[Monomial, int]:
    """The sum of polynomials."""
    return gathered(term for one in polynomials for term in one.items())


def polynomial(value: Affine) -> Polynomial:
    """An affine expression of sizes."""
    constant: Polynomial = {(): value.constant} if value.constant else {}
    return constant | {(atom,): coefficient for atom, coefficient in value.terms}


def product(left: Polynomial, right: Polynomial) -> Polynomial:
    """left * right."""
    return gathered((tuple(sorted((*a, *b), key=str)), x * y) for a, x in left.items() for b, y in right.items())
