"""Integer expressions, conditions and work as text, and read again.

Value      ::= Affine | min(Values) | max(Values) | select(Condition, Value, Value)
Condition  ::= Value < | <= | > | >= | == | != Value | Condition && ... | Condition || ... | (Condition)
             | nonzero ARRAY[Affines] (NAME)
Affine     ::= 4 * t - (N + 1) // 2 + 1
Work       ::= 8 * B * (4 * H) + 3 * B > NUMBER             INT and its factors
Polynomial ::= -4 * N * (T // 2) + 1
"""

from __future__ import annotations

from typing import Literal

from polyad.codegen.loops.how import Work
from polyad.codegen.loops.loop_values import Choice, Combine, Compare, Condition, Extreme, Nonzero, Value
from polyad.codegen.loops.words import Words
from polyad.ir.affine import Affine, Atom
from polyad.ir.polynomials import Polynomial

__all__ = [
    "affine_words",
    "condition_words",
    "polynomial_words",
    "read_affine",
    "read_condition",
    "read_polynomial",
    "read_value",
    "read_work",
    "value_words",
    "work_words",
]

_Parsed = Compare | Combine
_COMPARISONS = ("<", "<=", ">", ">=", "==", "!=")


def value_words(value: Value) -> str:
    """An integer expression."""
    match value:
        case Affine():
            return affine_words(value)
        case Extreme(kind, args):
            return f"{kind}({', '.join(map(value_words, args))})"
        case Choice(cond, a, b):
            return f"select({condition_words(cond)}, {value_words(a)}, {value_words(b)})"


def condition_words(condition: Condition) -> str:
    """A condition; those inside of another are enclosed."""
    if isinstance(condition, Combine):
        inside = (f"({condition_words(c)})" if isinstance(c, Combine) else condition_words(c) for c in condition.args)
        return f" {condition.op} ".join(inside)
    if isinstance(condition, Nonzero):
        index = ", ".join(map(affine_words, condition.index))
        return f"nonzero {condition.array}[{index}]{f' ({condition.local})' if condition.local else ''}"
    return f"{value_words(condition.a)} {condition.op} {value_words(condition.b)}"


def affine_words(value: Affine) -> str:
    """4 * t + (i // 2) - 1."""
    return value.render(str, lambda above, below: f"({above if above.isidentifier() else f'({above})'} // {below})")


def work_words(work: Work) -> str:
    """Work, and from how much on it is enough."""
    terms = [" * ".join([str(cost), *map(_factor, factors)]) for cost, factors in work.terms]
    return f"{' + '.join(terms) or '0'} > {float(work.least)!r}"


def polynomial_words(value: Polynomial) -> str:
    """A polynomial."""
    text = ""
    for monomial, coefficient in value.items():
        factors = [_factor(Affine(((atom, 1),))) for atom in monomial]
        piece = " * ".join([str(abs(coefficient)), *factors] if abs(coefficient) != 1 or not factors else factors)
        sign = "-" if coefficient < 0 else "+"
        text = f"{text} {sign} {piece}" if text else f"-{piece}" if coefficient < 0 else piece
    return text or "0"


def _factor(value: Affine) -> str:
    """A factor, enclosed unless it is one name or one quotient, which has parentheses already."""
    is_atom = not value.constant and len(value.terms) == 1 and value.terms[0][1] == 1
    return affine_words(value) if is_atom else f"({affine_words(value)})"


def read_value(words: Words) -> Value:
    """An integer expression."""
    found = _sum(words)
    return words.refuse("a number is expected, not a condition") if isinstance(found, Compare | Combine) else found


def read_condition(words: Words) -> Condition:
    """A condition."""
    if words.accept("nonzero"):
        array = words.name()
        words.expect("[")
        index = words.several(read_affine)
        words.expect("]")
        local = words.name() if words.accept("(") else ""
        if local:
            words.expect(")")
        return Nonzero(array, index, local)
    found = _any(words)
    return found if isinstance(found, Compare | Combine) else words.refuse("a condition is expected")


def read_affine(words: Words) -> Affine:
    """An affine expression."""
    value = read_value(words)
    return value if isinstance(value, Affine) else words.refuse("an affine expression is expected")


def read_work(words: Words) -> Work:
    """Work, and from how much on it is enough."""
    terms: list[tuple[int, tuple[Affine, ...]]] = []
    if not words.accept("0"):
        terms.append(_product(words))
        while words.accept("+"):
            terms.append(_product(words))
    words.expect(">")
    return Work(tuple(terms), words.number())


def read_polynomial(words: Words) -> Polynomial:
    """A polynomial."""
    result: Polynomial = {}
    sign = -1 if words.accept("-") else 1
    while True:
        coefficient, factors = _product(words) if words.next.isdigit() else (1, _factors(words))
        if coefficient:
            result[tuple(_atom(f, words) for f in factors)] = sign * coefficient
        if words.next not in ("+", "-"):
            return result
        sign = -1 if words.take() == "-" else 1


def _any(words: Words) -> Value | _Parsed:
    """Comparisons with one of && and || in between, or a number."""
    first = _comparison(words)
    if words.next not in ("&&", "||"):
        return first
    op: Literal["&&", "||"] = "&&" if words.next == "&&" else "||"
    args = [first]
    while words.accept(op):
        args.append(_comparison(words))
    conditions = tuple(a for a in args if isinstance(a, Compare | Combine))
    return Combine(op, conditions) if len(conditions) == len(args) else words.refuse(f"{op} joins conditions")


def _comparison(words: Words) -> Value | _Parsed:
    left = _sum(words)
    if words.next not in _COMPARISONS:
        return left
    op, right = words.take(), _sum(words)
    if isinstance(left, Compare | Combine) or isinstance(right, Compare | Combine):
        words.refuse(f"{op} compares numbers")
    return Compare(op, left, right)


def _sum(words: Words) -> Value | _Parsed:
    negative = words.accept("-")
    total = _term(words)
    if negative:
        total = _affine(total, words) * -1
    while words.next in ("+", "-"):
        sign = 1 if words.take() == "+" else -1
        total = _affine(total, words) + _affine(_term(words), words) * sign
    return total


def _term(words: Words) -> Value | _Parsed:
    """2 * i, i // 2, or what stands alone."""
    left = _primary(words)
    while words.next in ("*", "//"):
        if words.take() == "//":
            left = _affine(left, words) // words.integer()
            continue
        a, b = _affine(left, words), _affine(_primary(words), words)
        if not a.is_constant and not b.is_constant:
            words.refuse("one of two factors is a number")
        left = b * a.constant if a.is_constant else a * b.constant
    return left


def _primary(words: Words) -> Value | _Parsed:
    if words.accept("("):
        inside = _any(words)
        words.expect(")")
        return inside
    kinds: tuple[Literal["min", "max"], ...] = ("min", "max")
    for kind in kinds:
        if words.accept(kind, "("):
            args = words.several(read_value)
            words.expect(")")
            return Extreme(kind, args)
    if words.accept("select", "("):
        cond = read_condition(words)
        words.expect(",")
        a = read_value(words)
        words.expect(",")
        b = read_value(words)
        words.expect(")")
        return Choice(cond, a, b)
    return Affine.of(words.integer()) if words.next.isdigit() else Affine.of(words.name())


def _affine(value: Value | _Parsed, words: Words) -> Affine:
    return value if isinstance(value, Affine) else words.refuse("arithmetic is done on affine expressions")


def _product(words: Words) -> tuple[int, tuple[Affine, ...]]:
    """A number, and its factors."""
    number = words.integer()
    return number, _factors(words) if words.accept("*") else ()


def _factors(words: Words) -> tuple[Affine, ...]:
    """Names and expressions in parentheses, with * in between."""
    found = [_affine(_primary(words), words)]
    while words.accept("*"):
        found.append(_affine(_primary(words), words))
    return tuple(found)


def _atom(factor: Affine, words: Words) -> Atom:
    if factor.constant or len(factor.terms) != 1 or factor.terms[0][1] != 1:
        words.refuse(f"{factor} is no size and no quotient")
    return factor.terms[0][0]
