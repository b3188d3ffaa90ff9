"""Reading quasi-affine expressions from text: the inverse of `str(affine)`."""

from __future__ import annotations

import ast

from polyad.errors import DefinitionError
from polyad.ir.affine import Affine

__all__ = ["affine_of", "parse_affine"]


def parse_affine(text: str) -> Affine:
    """A quasi-affine expression in names, `4*H + (N - 1) // 2`; the inverse of `str(affine)`."""
    return affine_of(ast.parse(text, mode="eval").body)


def affine_of(node: ast.expr) -> Affine:
    """The quasi-affine expression that a Python expression is.

    Raises:
        DefinitionError: it is none.
    """
    match node:
        case ast.Name(name):
            return Affine.of(name)
        case ast.Constant(value) if isinstance(value, int):
            return Affine.of(value)
        case ast.UnaryOp(ast.USub(), operand):
            return -affine_of(operand)
        case ast.BinOp(left, ast.Add(), right):
            return affine_of(left) + affine_of(right)
        case ast.BinOp(left, ast.Sub(), right):
            return affine_of(left) - affine_of(right)
        case ast.BinOp(left, ast.Mult(), right):
            a, b = affine_of(left), affine_of(right)
            if a.is_constant:
                return b * a.constant
            if b.is_constant:
                return a * b.constant
        case ast.BinOp(left, ast.FloorDiv(), ast.Constant(int(d))):
            return affine_of(left) // d
        case ast.BinOp(left, ast.Mod(), ast.Constant(int(d))):
            return affine_of(left) % d
        case _:
            pass
    raise DefinitionError(f"not a quasi-affine expression: {ast.unparse(node)!r}")
