"""Values as linear functions mul * s + add of one number s, through the expressions that compute them.

A loop that carries one number from step to step by s = mul * s + add is a prefix scan. The scheduler asks whether a
recurrence is one; code generation follows the state through all statements of a loop, and computes mul and add:

    Term ::= At(Expr, place) | One() | Plus(Term, Term) | Times(Term, Term) | Minus(Term) | Inverse(At)
           | Where(At, Term | None, Term | None)

None stands for zero. What is not finite has to stay where it is: a condition that cuts the number off is no product
with 0, which would be nan for this value and all that follow.
"""

from __future__ import annotations

from collections.abc import Container, Iterator, Mapping
from dataclasses import dataclass

import islpy as isl

from polyad.ir.expr import Apply, Expr, Read, Select, reads

__all__ = [
    "ITSELF",
    "At",
    "Inverse",
    "Linear",
    "Minus",
    "One",
    "Plus",
    "Product",
    "Term",
    "Where",
    "depends",
    "is_linear",
    "leaves",
    "linear",
]


@dataclass(frozen=True, slots=True, eq=False)
class At:
    """The value of an expression of a statement; `place` says which statement, for whoever follows several."""

    expr: Expr
    place: int


@dataclass(frozen=True, slots=True)
class One:
    """1."""


@dataclass(frozen=True, slots=True)
class Plus:
    """a + b."""

    a: Term
    b: Term


@dataclass(frozen=True, slots=True)
class Product:
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


Term = At | One | Plus | Product | Minus | Inverse | Where


@dataclass(frozen=True, slots=True)
class Linear:
    """mul * s + add; it depends on s where `mul` is not None."""

    mul: Term | None
    add: Term | None


ITSELF = Linear(One(), None)
"""The number s."""

Values = Mapping[str, Linear | None]
"""Array whose elements depend on s -> how they do; None where that is no linear function."""


def leaves(term: Term | None) -> Iterator[At]:
    """The expressions in a term."""
    match term:
        case At():
            yield term
        case Plus(a, b) | Product(a, b):
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


def depends(expr: Expr, arrays: Container[str]) -> bool:
    """Whether a value depends on elements of some arrays."""
    return any(r.array in arrays for r in reads(expr))


def is_linear(expr: Expr, values: Values) -> bool:
    """Whether a value depends on the number, and does so linearly."""
    found = linear(expr, values)
    return found is not None and found.mul is not None


def linear(expr: Expr, values: Values, place: int = 0) -> Linear | None:
    """A value as a linear function of the number, None where it is none.

    Args:
        expr: the value.
        values: what it reads that depends on the number.
        place: the statement that it belongs to.
    """
    if not depends(expr, values):
        return Linear(None, At(expr, place))

    def visit(child: Expr) -> Linear | None:
        return linear(child, values, place)

    match expr:
        case Read(array, isl.MultiAff(), _):
            return values[array]
        case Apply("add", (a, b), _):
            return _added(visit(a), visit(b))
        case Apply("sub", (a, b), _):
            return _added(visit(a), _negated(visit(b)))
        case Apply("neg", (a,), _):
            return _negated(visit(a))
        case Apply("mul", (a, b), _):
            return _multiplied(visit(a), visit(b))
        case Apply("div", (a, b), _) if not depends(b, values):
            return _scaled(visit(a), Inverse(At(b, place)))
        case Select(cond, a, b, _) if not depends(cond, values):
            return _chosen(At(cond, place), visit(a), visit(b))
        case _:
            return None


def _added(x: Linear | None, y: Linear | None) -> Linear | None:
    return None if x is None or y is None else Linear(_sum(x.mul, y.mul), _sum(x.add, y.add))


def _negated(x: Linear | None) -> Linear | None:
    return x and Linear(x.mul and Minus(x.mul), x.add and Minus(x.add))


def _multiplied(x: Linear | None, y: Linear | None) -> Linear | None:
    if x is None or y is None or (x.mul is not None and y.mul is not None):
        return None
    return _scaled(x, y.add) if y.mul is None else _scaled(y, x.add)


def _scaled(x: Linear | None, factor: Term | None) -> Linear | None:
    """A multiple; a factor of None is 0, which is none that a program would multiply with."""
    return None if x is None or factor is None else Linear(_product(x.mul, factor), _product(x.add, factor))


def _chosen(condition: At, x: Linear | None, y: Linear | None) -> Linear | None:
    if x is None or y is None or x.mul is None or y.mul is None:
        return None  # also where the number is cut off
    return Linear(Where(condition, x.mul, y.mul), Where(condition, x.add, y.add))


def _sum(a: Term | None, b: Term | None) -> Term | None:
    return b if a is None else a if b is None else Plus(a, b)


def _product(a: Term | None, b: Term) -> Term | None:
    return a and b if a is None or a == One() else Product(a, b)
