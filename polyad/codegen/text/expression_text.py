"""Scalar expressions in C, from the spellings of the operator table.

C evaluates the sides of `?:` and the right side of `&&` and `||` under a condition. Elements that are read there are
arguments of functions instead, `pa_select_f64(m[i] > 0.0, x[i], y[i])`, so that they are read in any case: gcc before
version 14 mixes up the masks of loads under conditions that stand next to each other (docs/decisions/0023). An element
exists wherever its statement runs, so that reading it does no harm. Those at data-dependent indices may not; they stay
under the condition.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Hashable

import numpy as np

from polyad.codegen.loops.statement_accesses import reads_early
from polyad.codegen.text.code import LOOSE, Code, call, cast, code, conditional, infix, negative, prefix, word
from polyad.codegen.text.integer_text import integer_code
from polyad.ir.element_types import bfloat16_bits
from polyad.ir.expr import Apply, Const, Expr, Index, Read, Select
from polyad.ops import OPS

__all__ = ["C_TYPES", "HALF", "SUFFIXES", "constant_code", "expression_code", "operator"]

C_TYPES = {
    "float32": "float",
    "float64": "double",
    "int32": "int32_t",
    "int64": "int64_t",
    "uint32": "uint32_t",
    "int8": "int8_t",
    "int16": "int16_t",
    "uint8": "uint8_t",
    "uint16": "uint16_t",
    "float16": "uint16_t",
    "bfloat16": "uint16_t",
    "bool": "int",
}
"""Element type -> C type; float16 and bfloat16 are the bits of a number, as not every C compiler has the types."""

HALF = {"float16": "f16", "bfloat16": "bf16"}
"""Types that functions of the runtime header convert from and to float -> their suffix."""

SUFFIXES = {"float32": "f32", "float64": "f64", "int32": "i32", "int64": "i64", "uint32": "u32", "bool": "i32"}
"""Element type -> suffix of the runtime functions."""


def constant_code(value: float | int | bool, dtype: str) -> Code:
    """A number that C reads back with the same bits."""
    if dtype == "bool":
        return word("1" if value else "0")
    if dtype in HALF:
        return integer_code(bfloat16_bits(value) if dtype == "bfloat16" else int(np.float16(value).view(np.uint16)))
    if "float" not in dtype:
        return integer_code(int(value), dtype)
    with np.errstate(over="ignore"):
        rounded = np.float32(value) if dtype == "float32" else np.float64(value)
    number = abs(float(rounded))
    if math.isfinite(number):
        # The shortest text that reads back as the same number of this type.
        plain = number == 0 or 1e-4 <= number < 1e16
        spell = np.format_float_positional if plain else np.format_float_scientific
        size = word(spell(np.abs(rounded), trim="0") + ("f" if dtype == "float32" else ""))
    else:
        name = word("NAN" if math.isnan(number) else "INFINITY")
        size = name if dtype == "float32" else cast("double", name)
    return negative(size) if np.signbit(rounded) and not math.isnan(number) else size


def expression_code(
    expr: Expr,
    read: Callable[[Read], Code],
    index: Callable[[Index], Code],
    element: Callable[[Read], Hashable],
    once: bool = False,
) -> Code:
    """An expression of a statement's body.

    Args:
        expr: the expression.
        read: spells the value of an array element.
        index: spells an integer in terms of the iterators in scope.
        element: tells elements apart.
        once: functions that are many instructions are called, and not compiled in place.
    """

    def spell(node: Expr) -> Code:
        match node:
            case Const(value, dtype):
                return constant_code(value, dtype)
            case Index():
                return index(node)
            case Read():
                return read(node)
            case Select(cond, a, b, dtype):
                test, yes, no = spell(cond), spell(a), spell(b)
                if reads_early(node, element):
                    return call(f"pa_select_{SUFFIXES[dtype]}", test, yes, no)
                return conditional(test, yes, no)
            case Apply("and" | "or" as op, (left, right), _) if reads_early(node, element):
                return call(f"pa_{op}", spell(left), spell(right))
            case Apply("stop_gradient", (inner,), _):
                return spell(inner)
            case Apply("cast", (inner,), dtype) if dtype in HALF or inner.dtype in HALF:
                return call(f"pa_{HALF.get(dtype, 'f32')}_of_{HALF.get(inner.dtype, 'f32')}", spell(inner))
            case Apply("cast", (inner,), dtype):
                return cast(C_TYPES[dtype], spell(inner))
            case Apply("neg", (inner,), _):
                return negative(spell(inner))
            case Apply("not" | "bitwise_not" as op, (inner,), _):
                return prefix(OPS[op].c[0], spell(inner), LOOSE)
            case Apply(op, args, _):
                spelled, suffix = [spell(a) for a in args], SUFFIXES[args[0].dtype]
                if symbol := operator(op):
                    return infix(symbol, *spelled)
                if once and OPS[op].once:
                    return call(f"pa_once_{op}_{suffix}", *spelled)
                return code(OPS[op].c, *spelled, f=suffix)

    return spell(expr)


def operator(op: str) -> str:
    """The operator of C that stands between two arguments, "" where the table has none."""
    match OPS[op].c.split(" "):
        case ["{0}", symbol, "{1}"]:
            return symbol
        case _:
            return ""
