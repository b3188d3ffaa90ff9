"""Sizes, iterators and loop bounds in C."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from polyad.codegen.loops.loop_values import Choice, Combine, Compare, Condition, Extreme, Nonzero, Value, map_value
from polyad.codegen.loops.nonnegative import is_nonnegative, plain_divisions
from polyad.codegen.names import Spelling
from polyad.codegen.text.code import (
    ATOM,
    LOOSE,
    PRODUCT,
    SUM,
    Code,
    call,
    conditional,
    infix,
    integer_sum,
    negative,
    prefix,
    word,
)
from polyad.errors import DefinitionError
from polyad.ir.affine import Affine, Atom, FloorDiv

__all__ = [
    "ONE",
    "ZERO",
    "affine_code",
    "condition_code",
    "integer_code",
    "linear_index",
    "plain_value",
    "signed_sum",
    "value_code",
]

ZERO, ONE = word("0"), word("1")


def integer_code(value: int, dtype: str = "int64") -> Code:
    """A number that C reads with this value: neither too large for its type nor a negated overflow.

    Raises:
        DefinitionError: no integer of C holds it.
    """
    if not -(2**63) <= value < 2**63:
        raise DefinitionError(f"a bound or an index is {value}, which no integer of 64 bits holds")
    if dtype == "uint32":
        return word(f"{value}u")
    if value == -(2**63):
        return word("INT64_MIN")
    if value == -(2**31) and dtype == "int32":
        return word("INT32_MIN")
    size = word(str(abs(value)) if abs(value) < 2**31 else f"INT64_C({abs(value)})")
    return negative(size) if value < 0 else size


def affine_code(value: Affine, spell: Spelling) -> Code:
    """t + 1, 4 * H + k, i / 2, i % 2, pa_floordiv_i64(i - 1, 2)."""
    value = plain_divisions(value, spell.nonnegative)
    if value.is_constant:
        return integer_code(value.constant)
    remainders, value = _remainders(value, spell)
    # A difference reads better than a negative first term: T - t - 1, not -t + T - 1.
    ordered = sorted(value.terms, key=lambda term: (term[1] < 0, *_place(term[0], spell)))
    terms = [(c < 0, _product(abs(c), atom, spell)) for atom, c in ordered]
    terms = sorted([*remainders, *terms], key=lambda term: term[0])
    number = [(value.constant < 0, integer_code(abs(value.constant)))] if value.constant else []
    return signed_sum([*number, *terms] if terms[0][0] and value.constant > 0 else [*terms, *number])


def _remainders(value: Affine, spell: Spelling) -> tuple[list[tuple[bool, Code]], Affine]:
    """The terms i - 3 * (i // 3) of a sum as i % 3, where C's remainder is that; and what is left of it."""
    found: list[tuple[bool, Code]] = []
    for atom, c in value.terms:
        if not isinstance(atom, FloorDiv) or c % atom.divisor or atom.numerator.constant:
            continue
        times, divided = -c // atom.divisor, atom.numerator
        rest = value - divided * times - Affine(((atom, c),))
        if len(rest.terms) != len(value.terms) - 1 - len(divided.terms):
            continue  # not all of what is divided stands in the sum
        if spell.divided or is_nonnegative(divided, spell.nonnegative):
            remainder = infix("%", affine_code(divided, spell), integer_code(atom.divisor))
            found.append((times < 0, infix("*", *([integer_code(abs(times))] if abs(times) > 1 else []), remainder)))
            value = rest
    return found, value


def signed_sum(terms: Sequence[tuple[bool, Code]]) -> Code:
    """a - b + c, from whether a term is negative and its size."""
    if not terms:
        return ZERO
    (negative, total), *others = terms
    if negative:
        total = prefix("-", total, SUM, PRODUCT)
    for minus, term in others:
        total = infix("-" if minus else "+", total, term)
    return replace(total, level=LOOSE) if negative else total


def plain_value(value: Value, spell: Spelling) -> Value:
    """The same value as `value_code` writes it: 1 less than `N / 3` for `(N - 3) // 3`."""
    return map_value(lambda a: plain_divisions(a, spell.nonnegative), value)


def _place(atom: Atom, spell: Spelling) -> tuple[int, ...]:
    """Names in the order of `Spelling.places`, then divisions, by what they divide."""
    if isinstance(atom, str):
        return 0, spell.place(atom)
    terms = sorted((*_place(inner, spell), c) for inner, c in atom.numerator.terms)
    return 1, atom.divisor, *(n for term in terms for n in term), atom.numerator.constant


def _product(coefficient: int, atom: Atom, spell: Spelling) -> Code:
    factor = _quotient(atom, spell) if isinstance(atom, FloorDiv) else word(spell(atom), spell(atom))
    return factor if coefficient == 1 else infix("*", integer_code(coefficient), factor)


def _quotient(division: FloorDiv, spell: Spelling) -> Code:
    numerator, divisor = affine_code(division.numerator, spell), integer_code(division.divisor)
    if spell.divided or is_nonnegative(division.numerator, spell.nonnegative):
        return infix(spell.divided or "/", numerator, divisor)
    return call("pa_floordiv_i64", numerator, divisor)


def linear_index(index: Sequence[Affine | Code], extents: Sequence[Affine], spell: Spelling) -> Code:
    """(t * B + b) * H + k: the position of an element in row-major order, 0 for a scalar.

    Args:
        index: one for each dimension; what is not affine is spelled already.
        extents: the extents of the array.
        spell: the C names of the sizes.
    """

    def spelled(value: Affine | Code) -> Code:
        return affine_code(value, spell) if isinstance(value, Affine) else value

    total: Affine | Code = Affine()
    for i, extent in zip(index, extents, strict=True):
        if total != Affine() and extent != Affine.of(1):
            total = extent if total == Affine.of(1) else infix("*", spelled(total), spelled(extent))
        if i != Affine():
            total = i if total == Affine() else integer_sum(spelled(total), spelled(i))
    return spelled(total)


def value_code(value: Value, spell: Spelling) -> Code:
    """An integer expression."""
    match value:
        case Affine():
            return affine_code(value, spell)
        case Extreme(kind, args):
            result, *others = (value_code(a, spell) for a in args)
            for other in others:
                result = call(f"pa_{kind}_i64", result, other)
            return result
        case Choice(cond, a, b):
            return conditional(condition_code(cond, spell), value_code(a, spell), value_code(b, spell)).within(ATOM)


_TURNED = {"<=": ">=", "<": ">", ">=": "<=", ">": "<"}


def _sides(op: str, difference: Affine) -> tuple[Affine, str, Affine]:
    """A comparison of a difference with 0 as people write it: t >= 1, not 1 - t <= 0; N >= 2, not 1 <= N - 1."""
    left = Affine.build({atom: c for atom, c in difference.terms if c > 0}, 0)
    right = Affine.build({atom: -c for atom, c in difference.terms if c < 0}, -difference.constant)
    if left.is_constant and not right.is_constant:
        return right - right.constant, _TURNED.get(op, op), Affine.of(-right.constant)
    return left, op, right


def condition_code(condition: Condition, spell: Spelling) -> Code:
    """A condition."""
    match condition:
        case Compare(op, Affine() as a, Affine() as b):
            left, op, right = _sides(op, plain_divisions(a - b, spell.nonnegative))
            return infix(op, affine_code(left, spell), affine_code(right, spell))
        case Compare(op, a, b):
            return infix(op, value_code(a, spell), value_code(b, spell))
        case Combine(op, args):
            return infix(op, *(condition_code(c, spell) for c in args))
        case Nonzero():
            raise AssertionError("an element is written as those of statements are (loop_text.py)")
