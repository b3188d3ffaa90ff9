"""Equations as people write them, for comments: h[t + 1, b, k] = go[t, b, k] * tc[t, b, k]."""

from __future__ import annotations

from polyad.codegen.loops.statement_accesses import index_of
from polyad.codegen.text.expression_text import infix_text
from polyad.ir.affine import Affine
from polyad.ir.expr import Access, Apply, Const, Expr, Index, Indirect, Read, Select
from polyad.ir.statement import SIGNS, Statement

__all__ = ["equation_text", "readable"]

_ATOM = 3


def equation_text(statement: Statement) -> str:
    """The equation of a statement, without its domain."""
    left = _element(statement.array, statement.write, statement.dims)
    return f"{left} {SIGNS[statement.reduction]} {readable(statement.body, statement.dims)}"


def readable(expr: Expr, dims: tuple[str, ...]) -> str:
    """An expression, `dims` naming the dimensions of the statement."""
    return _spell(expr, dims)[0]


def _element(array: str, access: Access, dims: tuple[str, ...]) -> str:
    if isinstance(access, Indirect):
        return f"{array}[{', '.join(readable(i, dims) for i in access.index)}]"
    return f"{array}[{', '.join(map(str, index_of(access, dims)))}]"


def _spell(expr: Expr, dims: tuple[str, ...]) -> tuple[str, int]:
    match expr:
        case Const(value, _):
            text = f"{value:g}" if isinstance(value, float) and float(f"{value:g}") == value else str(value)
            return (f"({text})" if text.startswith("-") else text), _ATOM
        case Index(value):
            affine = Affine.from_aff(value, dims)
            return str(affine), (_ATOM if len(affine.terms) + (affine.constant != 0) <= 1 else 0)
        case Read(array, access, _):
            return _element(array, access, dims), _ATOM
        case Select(cond, a, b, _):
            return f"({readable(cond, dims)} ? {readable(a, dims)} : {readable(b, dims)})", _ATOM
        case Apply("cast", (inner,), dtype):
            return f"{dtype}({readable(inner, dims)})", _ATOM
        case Apply("neg", (inner,), _):
            text, precedence = _spell(inner, dims)
            return (f"-{text}" if precedence == _ATOM else f"-({text})"), 1
        case Apply(op, args, _):
            spelled = [_spell(a, dims) for a in args]
            return infix_text(op, spelled) or (f"{op}({', '.join(text for text, _ in spelled)})", _ATOM)
