"""Distances in memory in C."""

from __future__ import annotations

from polyad.codegen.loops.polynomials import Polynomial
from polyad.codegen.names import Spelling
from polyad.codegen.text.integer_text import affine_text, integer_constant
from polyad.ir.affine import Affine, Atom

__all__ = ["polynomial_text"]


def polynomial_text(value: Polynomial, spell: Spelling) -> str:
    """4 * B * H + 1, not enclosed in parentheses; what is no size stands behind the sizes."""

    def place(factor: Atom) -> int:
        return spell.place(str(factor))

    text = ""
    ordered = [(sorted(monomial, key=place), c) for monomial, c in value.items()]
    for monomial, coefficient in sorted(ordered, key=lambda item: (-len(item[0]), [*map(place, item[0])])):
        factors = [spell(f) if isinstance(f, str) else f"({affine_text(Affine(((f, 1),)), spell)})" for f in monomial]
        if abs(coefficient) != 1 or not factors:
            factors.insert(0, integer_constant(abs(coefficient)))
        piece = " * ".join(factors)
        sign = "-" if coefficient < 0 else "+"
        text = f"{text} {sign} {piece}" if text else f"-{piece}" if coefficient < 0 else piece
    return text or "0"
