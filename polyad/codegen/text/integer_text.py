"""Sizes, iterators and loop bounds in C."""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence

from polyad.codegen.loops.loop_values import Choice, Combine, Compare, Condition, Extreme, Value, map_value
from polyad.codegen.loops.nonnegative import is_nonnegative, plain_divisions
from polyad.codegen.names import Spelling
from polyad.ir.affine import Affine, Atom, FloorDiv

__all__ = ["affine_text", "condition_text", "integer_constant", "linear_index", "plain_value", "value_text"]

Spell = Callable[[str], str]

_PLAIN = re.compile(r"\w+(\[\w+\])?")


def integer_constant(value: int, dtype: str = "int64") -> str:
    """A number that C reads with this value: neither too large for its type nor a negated overflow."""
    if value == -(2**63):
        return "INT64_MIN"
    if value == -(2**31):
        return "INT32_MIN" if dtype == "int32" else "(-INT64_C(2147483648))"
    text = str(value) if abs(value) < 2**31 else f"{'-' if value < 0 else ''}INT64_C({abs(value)})"
    return f"({text})" if value < 0 else text


def affine_text(value: Affine, spell: Spell) -> str:
    """t + 1, 4 * H + k, i / 2, pa_floordiv_i64(i - 1, 2); not enclosed in parentheses."""
    known = _known(spell)
    value = plain_divisions(value, known)
    if value.is_constant:
        text = integer_constant(value.constant)
        return text.strip("()") if abs(value.constant) < 2**31 else text
    # A difference reads better than a negative first term: T - t - 1, not -t + T - 1.
    ordered = sorted(value.terms, key=lambda term: (term[1] < 0, *_place(term[0], spell)))
    constant = value.constant
    text = ""
    for atom, c in ordered:
        name = spell(atom) if isinstance(atom, str) else _quotient(atom, spell, known)
        if c != 1 and " / " in name and not name.endswith(")"):
            name = f"({name})"
        piece = name if abs(c) == 1 else f"{integer_constant(abs(c))} * {name}"
        if not text:
            if c < 0 and constant > 0:
                text, constant = f"{integer_constant(constant)} - {piece}", 0
            else:
                text = f"-{piece}" if c < 0 else piece
        else:
            text += f" {'-' if c < 0 else '+'} {piece}"
    return f"{text} {'-' if constant < 0 else '+'} {integer_constant(abs(constant))}" if constant else text


def plain_value(value: Value, spell: Spell) -> Value:
    """The same value as `value_text` writes it: 1 less than `N / 3` for `(N - 3) // 3`."""
    return map_value(lambda a: plain_divisions(a, _known(spell)), value)


def _known(spell: Spell) -> frozenset[str]:
    return spell.nonnegative if isinstance(spell, Spelling) else frozenset()


def _place(atom: Atom, spell: Spell) -> tuple[int, ...]:
    """Names in the order of `Spelling.places`, then divisions, by what they divide."""
    if not isinstance(spell, Spelling):
        return ()
    if isinstance(atom, str):
        return 0, spell.place(atom)
    terms = sorted((*_place(inner, spell), c) for inner, c in atom.numerator.terms)
    return 1, atom.divisor, *(n for term in terms for n in term), atom.numerator.constant


def _quotient(division: FloorDiv, spell: Spell, known: frozenset[str]) -> str:
    numerator, divisor = affine_text(division.numerator, spell), integer_constant(division.divisor)
    if is_nonnegative(division.numerator, known):
        return f"{_enclosed(numerator)} / {divisor}"
    return f"pa_floordiv_i64({numerator}, {divisor})"


def _enclosed(text: str) -> str:
    return text if _PLAIN.fullmatch(text) else f"({text})"


def linear_index(index: Sequence[str], extents: Sequence[Affine], spell: Spell) -> str:
    """(t * B + b) * H + k: the position of an element in row-major order, 0 for a scalar.

    Args:
        index: one expression per dimension.
        extents: the extents of the array.
        spell: the C names of the sizes.
    """
    text = ""
    for i, extent in zip(index, extents, strict=True):
        size = _enclosed(affine_text(extent, spell))
        if text and size != "1":
            text = size if text == "1" else f"{_enclosed(text)} * {size}"
        if i != "0":
            text = f"{text} + {f'({i})' if i.startswith('-') else i}" if text else i
    return text or "0"


def value_text(value: Value, spell: Spell) -> str:
    """An integer expression, not enclosed in parentheses."""
    match value:
        case Affine():
            return affine_text(value, spell)
        case Extreme(kind, args):
            text = value_text(args[0], spell)
            for other in args[1:]:
                text = f"pa_{kind}_i64({text}, {value_text(other, spell)})"
            return text
        case Choice(cond, a, b):
            return f"({condition_text(cond, spell)} ? {value_text(a, spell)} : {value_text(b, spell)})"


_TURNED = {"<=": ">=", "<": ">", ">=": "<=", ">": "<"}


def _sides(op: str, difference: Affine) -> tuple[Affine, str, Affine]:
    """A comparison of a difference with 0 as people write it: t >= 1, not 1 - t <= 0; N >= 2, not 1 <= N - 1."""
    left = Affine.build({atom: c for atom, c in difference.terms if c > 0}, 0)
    right = Affine.build({atom: -c for atom, c in difference.terms if c < 0}, -difference.constant)
    if left.is_constant and not right.is_constant:
        return right - right.constant, _TURNED.get(op, op), Affine.of(-right.constant)
    return left, op, right


def condition_text(condition: Condition, spell: Spell) -> str:
    """A condition, not enclosed in parentheses."""
    match condition:
        case Compare(op, Affine() as a, Affine() as b):
            left, op, right = _sides(op, plain_divisions(a - b, _known(spell)))
            return f"{affine_text(left, spell)} {op} {affine_text(right, spell)}"
        case Compare(op, a, b):
            return f"{value_text(a, spell)} {op} {value_text(b, spell)}"
        case Combine(op, args):
            # Compilers warn about && within || without parentheses.
            pieces = [condition_text(c, spell) for c in args]
            return f" {op} ".join(f"({p})" if isinstance(c, Combine) else p for c, p in zip(args, pieces, strict=True))
