"""Sums of integers as trees of C: what is 0 or 1 in them is not written."""

from __future__ import annotations

from pycparser import c_ast

from polyad.pet.c_text.parse import walk

__all__ = ["BEFORE", "difference", "ids", "minus", "number", "plus", "times", "value_of"]

BEFORE = "@before "
"""What an integer was at the beginning of a turn of a loop."""


def ids(node: c_ast.Node) -> set[str]:
    """The names in an expression."""
    return {n.name for n, _ in walk(node) if isinstance(n, c_ast.ID)}


def difference(value: c_ast.Node, name: str) -> c_ast.Node | None:
    """Return the increment of an integer: e of `before + e`; None where it is no such sum."""
    before = BEFORE + name
    match value:
        case c_ast.ID(name=found) if found == before:
            return number(0)
        case c_ast.BinaryOp(op="+" | "-" as op, left=left, right=right) if not any(
            n.startswith(BEFORE) for n in ids(right)
        ):
            inner = difference(left, name)
            return None if inner is None else (plus if op == "+" else minus)(inner, right)
        case _:
            return None


def number(value: int) -> c_ast.Node:
    """A number that is written down."""
    return c_ast.Constant("int", str(value))


def value_of(node: c_ast.Node) -> int | None:
    """A number that is written down."""
    match node:
        case c_ast.Constant(type="int", value=text) if text.isdigit():
            return int(text)
        case c_ast.UnaryOp(op="-", expr=inner) if (found := value_of(inner)) is not None:
            return -found
        case _:
            return None


def plus(left: c_ast.Node, right: c_ast.Node) -> c_ast.Node:
    """left + right."""
    a, b = value_of(left), value_of(right)
    if a is not None and b is not None and a + b >= 0:
        return number(a + b)
    return right if a == 0 else left if b == 0 else c_ast.BinaryOp("+", left, right)


def minus(left: c_ast.Node, right: c_ast.Node) -> c_ast.Node:
    """left - right."""
    a, b = value_of(left), value_of(right)
    if a is not None and b is not None and a - b >= 0:
        return number(a - b)
    return left if b == 0 else c_ast.BinaryOp("-", left, right)


def times(left: c_ast.Node, right: c_ast.Node) -> c_ast.Node:
    """left * right."""
    for one, other in ((left, right), (right, left)):
        if value_of(one) == 0:
            return number(0)
        if value_of(one) == 1:
            return other
    return c_ast.BinaryOp("*", left, right)
