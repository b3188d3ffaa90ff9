"""Scalar expressions in C, from the spellings of the operator table.

C evaluates the sides of `?:` and the right side of `&&` and `||` under a condition. Elements that are read there are
arguments of functions instead, `pa_select_f64(m[i] > 0.0, x[i], y[i])`, so that they are read in any case: gcc before
version 14 mixes up the masks of loads under conditions that stand next to each other (docs/decisions/0023). An element
exists wherever its statement runs, so that reading it does no harm. Those at data-dependent indices may not; they stay
under the condition.
"""

from __future__ import annotations

import math
import re
from collections.abc import Callable, Mapping, Sequence

import numpy as np

from polyad.codegen.lower.shared_calls import FUNCTIONS
from polyad.codegen.text.integer_text import integer_constant
from polyad.ir.expr import Apply, Const, Expr, Index, Indirect, Read, Select, reads
from polyad.ops import OPS

__all__ = ["C_TYPES", "SUFFIXES", "constant_text", "expression_text", "infix_text", "unenclosed"]

C_TYPES = {"float32": "float", "float64": "double", "int32": "int32_t", "int64": "int64_t", "bool": "int"}
"""Element type -> C type."""

SUFFIXES = {"float32": "f32", "float64": "f64", "int32": "i32", "int64": "i64", "bool": "i32"}
"""Element type -> suffix of the runtime functions."""

_INFIX = re.compile(r"\(\{0\} ([-+*/]) \{1\}\)")
_PRECEDENCE = {"+": 1, "-": 1, "*": 2, "/": 2}
_ATOM = 3


def constant_text(value: float | int | bool, dtype: str) -> str:
    """A number that C reads back with the same bits."""
    if dtype == "bool":
        return "1" if value else "0"
    if not dtype.startswith("float"):
        return integer_constant(int(value), dtype)
    with np.errstate(over="ignore"):
        rounded = np.float32(value) if dtype == "float32" else np.float64(value)
    number = float(rounded)
    if math.isnan(number):
        return "NAN" if dtype == "float32" else "((double)NAN)"
    if math.isinf(number):
        spelled = "INFINITY" if dtype == "float32" else "(double)INFINITY"
        return f"(-{spelled})" if number < 0 else spelled if dtype == "float32" else f"({spelled})"
    # The shortest text that reads back as the same number of this type.
    plain = number == 0 or 1e-4 <= abs(number) < 1e16
    text = np.format_float_positional(rounded, trim="0") if plain else np.format_float_scientific(rounded, trim="0")
    text += "f" if dtype == "float32" else ""
    return f"({text})" if text.startswith("-") else text


def expression_text(
    expr: Expr,
    read: Callable[[Read], str],
    index: Callable[[Index], str],
    once: bool = False,
    enclosed: bool = False,
) -> str:
    """An expression of a statement's body.

    Args:
        expr: the expression.
        read: spells the value of an array element.
        index: spells an integer in terms of the iterators in scope, not enclosed in parentheses.
        once: functions that are many instructions are called, and not compiled in place.
        enclosed: in parentheses where it is not one word, so that it may stand in a product.
    """

    def early(first: Expr, *others: Expr) -> bool:
        """Whether what `others` read is to be read before it is known what `first` is."""
        return not any(isinstance(r.access, Indirect) for other in others for r in reads(other)) and bool(
            _read_under(first, others, read)
        )

    def spell(node: Expr) -> tuple[str, int]:
        """Text and precedence."""
        match node:
            case Const(value, dtype):
                return constant_text(value, dtype), _ATOM
            case Index():
                text = index(node)
                return (text if text.isidentifier() or text.isdigit() else f"({text})"), _ATOM
            case Read():
                return read(node), _ATOM
            case Select(cond, a, b, dtype):
                c, yes, no = (spell(part)[0] for part in (cond, a, b))
                if early(cond, a, b):
                    call = f"pa_select_{SUFFIXES[dtype]}({unenclosed(c)}, {unenclosed(yes)}, {unenclosed(no)})"
                    return call, _ATOM
                return f"({c} ? {yes} : {no})", _ATOM
            case Apply("and" | "or" as op, (left, right), _) if early(left, right):
                return f"pa_{op}({unenclosed(spell(left)[0])}, {unenclosed(spell(right)[0])})", _ATOM
            case Apply(op, args, dtype):
                spelled = [spell(a) for a in args]
                names = {"f": SUFFIXES[args[0].dtype], "t": C_TYPES[dtype]}
                return infix_text(op, spelled) or (_call(_pattern(op, once), spelled, names), _ATOM)

    text, precedence = spell(expr)
    return f"({text})" if enclosed and precedence < _ATOM else text


def _pattern(op: str, once: bool) -> str:
    """The spelling of an operator."""
    return OPS[op].c.replace("pa_", "pa_once_", 1) if once and op in FUNCTIONS else OPS[op].c


def _read_under(first: Expr, others: Sequence[Expr], read: Callable[[Read], str]) -> set[str]:
    """The elements that `others` read and `first` does not."""
    return {read(r) for other in others for r in reads(other)} - {read(r) for r in reads(first)}


def infix_text(op: str, args: Sequence[tuple[str, int]]) -> tuple[str, int] | None:
    """Arithmetic with no more parentheses than its order of evaluation needs; None for another operator.

    Args:
        op: name in the operator table.
        args: text and precedence of the arguments.
    """
    infix = _INFIX.fullmatch(OPS[op].c)
    if infix is None:
        return None
    (left, left_precedence), (right, right_precedence) = args
    own = _PRECEDENCE[infix[1]]
    a = left if left_precedence >= own else f"({left})"
    b = right if right_precedence > own else f"({right})"
    return f"{a} {infix[1]} {b}", own


def _call(pattern: str, args: Sequence[tuple[str, int]], names: Mapping[str, str]) -> str:
    """A spelling of the table; what it encloses itself as an argument needs no parentheses of its own."""
    enclosed = "({0})" in pattern or "({0}, " in pattern
    parts = [unenclosed(t) if enclosed else t if precedence == _ATOM else f"({t})" for t, precedence in args]
    return pattern.format(*parts, **names)


def unenclosed(text: str) -> str:
    """The text without parentheses around all of it."""
    if not text.startswith("(") or not text.endswith(")"):
        return text
    depth = 0
    for position, character in enumerate(text):
        depth += (character == "(") - (character == ")")
        if depth == 0 and position < len(text) - 1:
            return text
    return text[1:-1]
