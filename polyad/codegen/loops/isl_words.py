"""Values and conditions of the loop IR in isl's own text."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from itertools import product
from types import MappingProxyType

from polyad.codegen.loops.loop_values import Choice, Combine, Compare, Condition, Extreme, Nonzero, Value, bounds
from polyad.ir.affine import Affine

__all__ = ["isl_affine", "isl_condition", "isl_conjuncts", "isl_value", "isl_with"]

Words = Mapping[str, str]
"""Name -> what stands for it in the text; a name that is not there stands for itself."""

NONE: Words = MappingProxyType({})


def isl_affine(value: Affine, words: Words = NONE) -> str:
    """4i + floor((N + 1)/2) - 1."""
    return value.render(lambda n: words.get(n, n), lambda numerator, divisor: f"floor(({numerator})/{divisor})")


def isl_value(value: Value, words: Words = NONE) -> str:
    """min(i, N - 4), in parentheses; isl knows no choices within conditions (isl_with)."""
    match value:
        case Affine():
            return f"({isl_affine(value, words)})"
        case Extreme(kind, args):
            return _extreme(kind, [isl_value(a, words) for a in args])
        case Choice(condition, a, b):
            return f"({isl_condition(condition, words)} ? {isl_value(a, words)} : {isl_value(b, words)})"


def isl_condition(condition: Condition, words: Words = NONE) -> str:
    """i < N and (j = 0 or k > 1)."""
    match condition:
        case Compare(op, a, b):
            sign = "=" if op == "==" else op
            return isl_with(a, lambda left: isl_with(b, lambda right: f"{left} {sign} {right}", words), words)
        case Combine(op, args):
            return f" {'and' if op == '&&' else 'or'} ".join(f"({isl_condition(c, words)})" for c in args)
        case Nonzero():
            return "true"  # what it leaves out may run as well


def isl_with(value: Value, said: Callable[[str], str], words: Words = NONE) -> str:
    """Say something of a value: `n >= 5 ? n : 3` is less than i where (n >= 5 and n < i) or (n < 5 and 3 < i)."""
    cases = _cases(value, words)
    texts = [" and ".join([*conditions, said(text)]) for conditions, text in cases]
    return texts[0] if len(texts) == 1 else f"({' or '.join(f'({t})' for t in texts)})"


def isl_conjuncts(condition: Condition) -> list[str]:
    """The parts of a condition without cases: i <= j, 4 <= j of `max(i, 4) <= j`, none of `j <= max(i, 4)`."""
    match condition:
        case Combine("&&", args):
            return [text for c in args for text in isl_conjuncts(c)]
        case Compare("==", a, b):
            return [text for op in ("<=", ">=") for text in isl_conjuncts(Compare(op, a, b))]
        case Compare("<" | "<=" as op, a, b):
            lefts, rights = bounds(a, "max"), bounds(b, "min")
        case Compare(">" | ">=" as op, a, b):
            lefts, rights = bounds(a, "min"), bounds(b, "max")
        case _:
            return []
    return [
        f"{isl_affine(x)} {op} {isl_affine(y)}" for x, y in product(lefts, rights) if x is not None and y is not None
    ]


def _cases(value: Value, words: Words) -> list[tuple[list[str], str]]:
    """The branches of choices: the conditions of each, and the value without choices."""
    match value:
        case Affine():
            return [([], isl_value(value, words))]
        case Extreme(kind, args):
            found: list[tuple[list[str], list[str]]] = [([], [])]
            for arg in args:
                found = [([*c, *more], [*t, text]) for c, t in found for more, text in _cases(arg, words)]
            return [(conditions, _extreme(kind, texts)) for conditions, texts in found]
        case Choice(condition, a, b):
            test = f"({isl_condition(condition, words)})"
            return [
                *(([test, *more], text) for more, text in _cases(a, words)),
                *(([f"(not {test})", *more], text) for more, text in _cases(b, words)),
            ]


def _extreme(kind: str, texts: Sequence[str]) -> str:
    """isl's take two."""
    result = texts[0]
    for text in texts[1:]:
        result = f"{kind}({result}, {text})"
    return result
