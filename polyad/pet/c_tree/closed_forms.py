"""Integers as polynomials: what a variable holds, in sizes and loop variables.

    k starts at 0 and is counted in `for (i = 0; i < n; i++) for (j = 0; j < m; j++)`: it holds i * m + j.

A polynomial is a sum of products of atoms with integer coefficients. An atom is a name, or C text of more that stays as
it is: `(n / 2)`.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from pycparser import c_ast

from polyad.pet.c_text.parse import walk
from polyad.pet.c_tree.nodes import constant, map_children, product_of
from polyad.pet.c_tree.printed import expression_text

__all__ = ["Closed", "Known", "atom", "closed_form", "number", "with_values"]


@dataclass(frozen=True, slots=True)
class Closed:
    """A polynomial.

    Attributes:
        terms: product of atoms, sorted -> its coefficient, which is not 0.
    """

    terms: Mapping[tuple[str, ...], int]

    def __add__(self, other: Closed) -> Closed:
        terms = dict(self.terms)
        for product, count in other.terms.items():
            terms[product] = terms.get(product, 0) + count
        return Closed({p: c for p, c in terms.items() if c})

    def __sub__(self, other: Closed) -> Closed:
        return self + other.times(-1)

    def __mul__(self, other: Closed) -> Closed:
        result = Closed({})
        for product, count in self.terms.items():
            for more, by in other.terms.items():
                result += Closed({tuple(sorted((*product, *more))): count * by})
        return result

    def times(self, factor: int) -> Closed:
        """It by a number."""
        return Closed({p: c * factor for p, c in self.terms.items()} if factor else {})

    @property
    def constant(self) -> int | None:
        """Its value, if it depends on nothing."""
        return self.terms.get((), 0) if not self.atoms else None

    @property
    def atoms(self) -> set[str]:
        """The names it depends on."""
        return {str(a) for product in self.terms for a in product}

    def node(self) -> c_ast.Node:
        """It as an expression of C."""
        result: c_ast.Node | None = None
        for product, count in sorted(self.terms.items(), key=lambda term: (not term[0], term[1] < 0, term[0])):
            factors = [c_ast.ID(str(a)) for a in product]
            term = product_of(factors if abs(count) == 1 else [constant(abs(count)), *factors])
            if result is None:
                result = term if count > 0 else c_ast.UnaryOp("-", term)
            else:
                result = c_ast.BinaryOp("+" if count > 0 else "-", result, term)
        return constant(0) if result is None else result


Known = dict[str, Closed]
"""What variables hold, as far as it is known."""


def number(value: int) -> Closed:
    """A number as a polynomial."""
    return Closed({(): value} if value else {})


def atom(text: str) -> Closed:
    """A name, or other C text, as a polynomial."""
    return Closed({(text,): 1})


def closed_form(node: c_ast.Node | None, known: Mapping[str, Closed]) -> Closed | None:
    """An integer expression as a polynomial; None where it names what is not known, or is no integer."""
    match node:
        case c_ast.Constant(type="int" | "long int" | "unsigned int" | "unsigned long int", value=text):
            try:
                return number(int(text.rstrip("uUlL"), 0))
            except ValueError:
                return None  # octal
        case c_ast.ID(name=name):
            return known.get(name)
        case c_ast.UnaryOp(op="-", expr=inner):
            found = closed_form(inner, known)
            return None if found is None else found.times(-1)
        case c_ast.BinaryOp(op="+" | "-" | "*" as op, left=left, right=right):
            a, b = closed_form(left, known), closed_form(right, known)
            if a is None or b is None:
                return None
            return a + b if op == "+" else a - b if op == "-" else a * b
        case c_ast.BinaryOp(op="/" | "%") | c_ast.TernaryOp():
            names = {n.name for n, _ in walk(node) if isinstance(n, c_ast.ID)}
            kinds = (c_ast.BinaryOp, c_ast.UnaryOp, c_ast.ID, c_ast.Constant, c_ast.TernaryOp)
            plain = all(isinstance(n, kinds) and getattr(n, "type", "int") == "int" for n, _ in walk(node))
            if not plain or not all(n in known for n in names):
                return None
            return atom(f"({expression_text(with_values(node, known))})")
        case _:
            return None


def with_values(node: c_ast.Node, known: Mapping[str, Closed]) -> c_ast.Node:
    """A copy of an expression with what variables hold in place of their names."""
    if isinstance(node, c_ast.ID):
        return known[node.name].node() if node.name in known else node
    return map_children(node, lambda child: with_values(child, known))
