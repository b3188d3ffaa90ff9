"""Values of a linear recurrence: sums and products of expressions, each at an instance of its statement.

    Term ::= At(Expr, Instance) | One() | Plus(Term, Term) | Times(Term, Term) | Minus(Term) | Inverse(At)
           | Where(At, Term | None, Term | None)

None stands for zero.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from polyad.codegen.loops.instance import Instance
from polyad.ir.expr import Expr

__all__ = ["At", "Inverse", "Minus", "One", "Plus", "Term", "Times", "Where", "leaves"]


@dataclass(frozen=True, slots=True, eq=False)
class At:
    """The value of an expression at an instance."""

    expr: Expr
    instance: Instance


@dataclass(frozen=True, slots=True)
class One:
    """1."""


@dataclass(frozen=True, slots=True)
class Plus:
    """a + b."""

    a: Term
    b: Term


@dataclass(frozen=True, slots=True)
class Times:
    """a * b."""

    a: Term
    b: Term


@dataclass(frozen=True, slots=True)
class Minus:
    """-a."""

    a: Term


@dataclass(frozen=True, slots=True)
class Inverse:
    """1 / a."""

    a: At


@dataclass(frozen=True, slots=True)
class Where:
    """a where the condition holds, else b."""

    condition: At
    a: Term | None
    b: Term | None


Term = At | One | Plus | Times | Minus | Inverse | Where


def leaves(term: Term | None) -> Iterator[At]:
    """The expressions in a term."""
    match term:
        case At():
            yield term
        case Plus(a, b) | Times(a, b):
            yield from leaves(a)
            yield from leaves(b)
        case Minus(a) | Inverse(a):
            yield from leaves(a)
        case Where(condition, a, b):
            yield condition
            yield from leaves(a)
            yield from leaves(b)
        case _:
            pass
