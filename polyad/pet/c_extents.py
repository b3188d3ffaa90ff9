"""Extents and numbers as they are written in declarations of C: `4 * H`, `n + 1`, as affine functions of sizes."""

from __future__ import annotations

import ast
from collections.abc import Iterator

from polyad.ir.affine import Affine, FloorDiv

__all__ = ["numerators", "read_extent"]


def read_extent(text: str) -> Affine | None:
    """The affine function that a text says, or None where it says none.

    Casts are not read. A quotient such as `(n - 1) / 2` is that of numbers that are not negative: where n is 0, which
    C would cut off towards zero, is for the caller to leave out (`numerators`).
    """
    try:
        tree = ast.parse(text.strip(), mode="eval").body
    except SyntaxError:
        return None
    return _affine(tree)


def _affine(tree: ast.expr) -> Affine | None:
    match tree:
        case ast.Constant(value=int(number)):
            return Affine.of(number)
        case ast.Name(id=name):
            return Affine.of(name)
        case ast.UnaryOp(op=ast.USub(), operand=operand):
            inner = _affine(operand)
            return None if inner is None else -inner
        case ast.BinOp(left=left, op=op, right=right):
            return _combined(_affine(left), op, _affine(right))
        case _:
            return None


def _combined(left: Affine | None, op: ast.operator, right: Affine | None) -> Affine | None:
    if left is None or right is None:
        return None
    match op:
        case ast.Add():
            return left + right
        case ast.Sub():
            return left - right
        case ast.Mult() if right.is_constant:
            return left * right.constant
        case ast.Mult() if left.is_constant:
            return right * left.constant
        case ast.LShift() if left.is_constant and right.is_constant and 0 <= right.constant < 62:
            return left * int(2**right.constant)
        case ast.Div() if right.is_constant and right.constant > 0 and (not left.is_constant or left.constant >= 0):
            return left // right.constant
        case ast.RShift() if (
            right.is_constant and 0 <= right.constant < 31 and (not left.is_constant or left.constant >= 0)
        ):
            return left // int(2**right.constant)
        case _:
            return None


def numerators(extent: Affine) -> Iterator[Affine]:
    """Yield the dividends of an extent, those of inner quotients first."""
    for atom, _ in extent.terms:
        if isinstance(atom, FloorDiv):
            yield from numerators(atom.numerator)
            yield atom.numerator
