"""Equations as people write them, for comments: h[t + 1, b, k] = go[t, b, k] * tc[t, b, k]."""

from __future__ import annotations

from polyad.codegen.loops.statement_accesses import index_of
from polyad.codegen.text.code import ATOM, LOOSE, SUM, Code, call, code, infix, word
from polyad.codegen.text.expression_text import operator
from polyad.ir.affine import Affine
from polyad.ir.expr import Access, Apply, Const, Expr, Index, Indirect, Read, Select
from polyad.ir.statement import Statement

__all__ = ["equation_text", "readable"]

_OPERATOR = {None: "=", "sum": "+=", "prod": "*=", "max": "max=", "min": "min="}
_INFIX = ("+", "-", "*", "/")


def equation_text(statement: Statement) -> str:
    """The equation of a statement, without its domain."""
    left = _element(statement.array, statement.write, statement.dims)
    return f"{left} {_OPERATOR[statement.reduction]} {readable(statement.body, statement.dims)}"


def readable(expr: Expr, dims: tuple[str, ...]) -> str:
    """An expression, `dims` naming the dimensions of the statement."""
    return _spell(expr, dims).text


def _element(array: str, access: Access, dims: tuple[str, ...]) -> str:
    index = access.index if isinstance(access, Indirect) else index_of(access, dims)
    return f"{array}[{', '.join(readable(i, dims) if isinstance(i, Expr) else str(i) for i in index)}]"


def _spell(expr: Expr, dims: tuple[str, ...]) -> Code:
    match expr:
        case Const(value, _):
            text = f"{value:g}" if isinstance(value, float) and float(f"{value:g}") == value else str(value)
            return word(f"({text})" if value < 0 else text)
        case Index(value):
            affine = Affine.from_aff(value, dims)
            return code("{}", str(affine), level=ATOM if len(affine.terms) + (affine.constant != 0) <= 1 else LOOSE)
        case Read(array, access, _):
            return word(_element(array, access, dims))
        case Select(cond, a, b, _):
            return code("({} ? {} : {})", *(_spell(e, dims) for e in (cond, a, b)))
        case Apply("cast", (inner,), dtype):
            return call(dtype, _spell(inner, dims))
        case Apply("neg", (inner,), _):
            return code("-{}", _spell(inner, dims).within(ATOM), level=SUM)
        case Apply(op, args, _):
            spelled = [_spell(a, dims) for a in args]
            return infix(operator(op), *spelled) if operator(op) in _INFIX else call(op, *spelled)
