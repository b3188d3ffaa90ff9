"""Distances in memory in C."""

from __future__ import annotations

from polyad.codegen.names import Spelling
from polyad.codegen.text.code import Code, infix
from polyad.codegen.text.integer_text import affine_code, integer_code, signed_sum
from polyad.ir.affine import Affine, Atom
from polyad.ir.polynomials import Polynomial

__all__ = ["polynomial_code"]


def polynomial_code(value: Polynomial, spell: Spelling) -> Code:
    """4 * B * H + 1; what is no size stands behind the sizes."""

    def place(factor: Atom) -> int:
        return spell.place(str(factor))

    ordered = [(sorted(monomial, key=place), c) for monomial, c in value.items()]
    terms = []
    for monomial, c in sorted(ordered, key=lambda item: (-len(item[0]), [*map(place, item[0])])):
        number = [integer_code(abs(c))] if abs(c) != 1 or not monomial else []
        factors = (affine_code(Affine(((factor, 1),)), spell) for factor in monomial)
        terms.append((c < 0, infix("*", *number, *factors)))
    return signed_sum(terms)
