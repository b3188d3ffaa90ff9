"""Values and conditions of the loop IR in isl's own text."""

from __future__ import annotations

from collections.abc import Mapping
from types import MappingProxyType

from polyad.codegen.loops.loop_values import Choice, Combine, Compare, Condition, Extreme, Value
from polyad.ir.affine import Affine

__all__ = ["isl_affine", "isl_condition", "isl_value"]

Words = Mapping[str, str]
"""Name -> what stands for it in the text; a name that is not there stands for itself."""

NONE: Words = MappingProxyType({})


def isl_affine(value: Affine, words: Words = NONE) -> str:
    """4i + floor((N + 1)/2) - 1."""
    return value.render(lambda n: words.get(n, n), lambda numerator, divisor: f"floor(({numerator})/{divisor})")


def isl_value(value: Value, words: Words = NONE) -> str:
    """min(i, N - 4), in parentheses."""
    match value:
        case Affine():
            return f"({isl_affine(value, words)})"
        case Extreme(kind, args):
            text = isl_value(args[0], words)
            for other in args[1:]:
                text = f"{kind}({text}, {isl_value(other, words)})"
            return text
        case Choice(condition, a, b):
            return f"({isl_condition(condition, words)} ? {isl_value(a, words)} : {isl_value(b, words)})"


def isl_condition(condition: Condition, words: Words = NONE) -> str:
    """i < N and (j = 0 or k > 1)."""
    match condition:
        case Compare(op, a, b):
            return f"{isl_value(a, words)} {'=' if op == '==' else op} {isl_value(b, words)}"
        case Combine(op, args):
            return f" {'and' if op == '&&' else 'or'} ".join(f"({isl_condition(c, words)})" for c in args)
