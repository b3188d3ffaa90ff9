"""The reference page of scalar operators and reductions, made from the tables."""

from __future__ import annotations

import islpy as isl

from polyad import islx
from polyad.ir.expr import Apply, Const, Expr, Read, Select
from polyad.ops.reductions import REDUCTION_OPS
from polyad.ops.registry import OPS, ScalarOp

__all__ = ["derivatives", "reduction_table", "reference_table", "spell", "written"]

_KIND = {
    "float": "floating point; integers become float64",
    "same": "that of the arguments",
    "bool": "truth value",
    "logical": "truth value, of truth values",
    "integer": "that of the arguments, which are integers",
    "cast": "the one named",
}


def spell(expr: Expr) -> str:
    """The expression as people write it, infix, from the C spellings of the table; arrays stand without an index."""
    text = _spell(expr)
    whole = text.startswith("(") and _closes(text) == len(text) - 1
    return text[1:-1] if whole else text


def _spell(expr: Expr) -> str:
    match expr:
        case Const(value, _):
            return f"{value:.6g}" if isinstance(value, float) else str(value)
        case Read(array, _, _):
            return array
        case Apply(op, args, _):
            pattern = OPS[op].c.replace("pa_", "").replace("_{f}", "")
            # Inside a call the parentheses of an argument say nothing.
            if pattern.endswith(")"):
                return pattern.format(*(spell(a) for a in args))
            return f"({pattern.format(*(_spell(a) for a in args), t=expr.dtype)})"
        case Select(cond, a, b, _):
            return f"select({spell(cond)}, {spell(a)}, {spell(b)})"
        case _:
            raise AssertionError(f"the derivative of a scalar operator has no {type(expr).__name__}")


def _closes(text: str) -> int:
    """The position of the parenthesis that closes the first one."""
    depth = 0
    for i, character in enumerate(text):
        depth += {"(": 1, ")": -1}.get(character, 0)
        if depth == 0:
            return i
    return -1


def _variable(name: str) -> Read:
    return Read(name, isl.MultiAff.zero(islx.space((), "", ()).map_from_set()), "float64")


def derivatives(op: ScalarOp) -> list[str]:
    """The partial derivatives of result = op(x, y) as text, one per argument; empty for an operator without any."""
    if op.partials is None:
        return []
    names = ("x", "y")[: op.arity]
    partials = op.partials(tuple(_variable(n) for n in names), _variable("result"))
    return ["0" if p is None else spell(p) for p in partials]


def written(op: ScalarOp) -> str:
    """How users write op(x, y), with polyad as `pa`; "" where only derivatives contain it."""
    return f"pa.{op.name}({', '.join(('x', 'y')[: op.arity])})" if op.written is None else op.written


def _cell(text: str) -> str:
    return text.replace("|", "\\|")


def reference_table() -> str:
    """Markdown: every scalar operator with how it is written, its meaning, result type and derivatives."""
    rows = ["| operator | written | meaning | result type | derivatives |", "|---|---|---|---|---|"]
    for op in OPS.values():
        call = f"`{op.name}({', '.join(('x', 'y')[: op.arity])})`"
        slopes = ", ".join(f"`{_cell(d)}`" for d in derivatives(op)) or "none"
        by = f"`{_cell(written(op))}`" if written(op) else "by derivatives only"
        rows.append(f"| {call} | {by} | {_cell(op.doc)} | {_KIND[op.kind]} | {slopes} |")
    return "\n".join(rows) + "\n"


def reduction_table() -> str:
    """Markdown: every reduction with its meaning and its C update."""
    rows = ["| reduction | meaning | C update |", "|---|---|---|"]
    for op in REDUCTION_OPS.values():
        update = op.c.format(acc="acc", x="x", f="f64")
        rows.append(f"| `{op.name}` | {op.doc} | `{update}` |")
    return "\n".join(rows) + "\n"
