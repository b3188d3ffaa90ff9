"""Integers of C in one form: two expressions that are equal as polynomials are equal as values.

    Integer ::= poly({ Atoms -> coefficient })
    Atom    ::= v(name) | div(Integer, d) | mod(Integer, Integer) | min(Integers) | max(Integers)
              | if(condition, Integer, Integer) | whatever else is known of a value (meaning.py)

Quotients round down. Multiples of a divisor leave it, and what is added to the smallest of some numbers, or multiplied
with it, is done to each of them: the form in which the loop IR has its bounds.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable, Iterator, Mapping
from typing import Any

from polyad.codegen.loops.loop_values import Choice, Combine, Compare, Condition, Extreme, Nonzero, Value
from polyad.ir.affine import Affine, FloorDiv

__all__ = [
    "Integer",
    "Term",
    "affine",
    "atom",
    "chosen_by_data",
    "compared",
    "condition",
    "constant",
    "divided",
    "extreme",
    "inside",
    "is_nonnegative",
    "joined",
    "limits",
    "minus",
    "number",
    "plus",
    "read_always",
    "remainder",
    "times",
    "unchecked",
    "value",
]

Term = Any
"""A hashable value: a tuple whose first item says what it is, a name, a number."""
Integer = tuple[str, frozenset[tuple[tuple[Term, ...], int]]]
_Terms = dict[tuple[Term, ...], int]
_SPREAD = frozenset(["min", "max", "if"])


def _kind(term: Term) -> str:
    return str(term[0]) if isinstance(term, tuple) else ""


def _terms(value: Integer) -> _Terms:
    return dict(value[1])


def _made(terms: _Terms) -> Integer:
    terms = {m: c for m, c in terms.items() if c}
    spread = [m for m in terms if any(_kind(a) in _SPREAD for a in m)]
    if len(spread) == 1 and len(spread[0]) == 1 and (len(terms) > 1 or terms[spread[0]] != 1):
        ((inner,),) = spread
        factor = terms.pop((inner,))
        rest: Integer = ("poly", frozenset(terms.items()))
        return _spread(inner, lambda a: plus(times(a, number(factor)), rest), factor < 0)
    return "poly", frozenset(terms.items())


def _spread(term: Term, function: Callable[[Integer], Integer], falls: bool = False) -> Integer:
    """Apply a monotone function to the numbers of which a value is one."""
    assert isinstance(term, tuple), "only extremes and choices are made of others"
    if term[0] == "if":
        return atom(("if", term[1], function(term[2]), function(term[3])))
    kind = {"min": "max", "max": "min"}[term[0]] if falls else term[0]
    return extreme(kind, map(function, term[1]))


def number(constant: int) -> Integer:
    """A number."""
    return "poly", frozenset({((), constant)} if constant else ())


def atom(term: Term) -> Integer:
    """Something of which nothing is known."""
    return "poly", frozenset({((term,), 1)})


def constant(value: Integer) -> int | None:
    """The number that it is, None for what is none."""
    terms = _terms(value)
    return terms.get((), 0) if not terms.keys() - {()} else None


def limits(value: Integer) -> tuple[int, int] | None:
    """The least and the greatest that it can be, if it is made of numbers, and of choices of them, alone."""
    low = high = 0
    for monomial, c in value[1]:
        ends = [c]
        for a in monomial:
            branches = [limits(b) for b in a[2:]] if _kind(a) == "if" else [None]
            if None in branches:
                return None
            ends = [e * b for e in ends for branch in branches if branch is not None for b in branch]
        low, high = low + min(ends), high + max(ends)
    return low, high


def plus(a: Integer, b: Integer) -> Integer:
    """A + b."""
    result = _terms(a)
    for monomial, c in b[1]:
        result[monomial] = result.get(monomial, 0) + c
    return _made(result)


def times(a: Integer, b: Integer) -> Integer:
    """A * b."""
    result: _Terms = {}
    for x, c in a[1]:
        for y, d in b[1]:
            monomial = tuple(sorted((*x, *y), key=hash))
            result[monomial] = result.get(monomial, 0) + c * d
    return _made(result)


def minus(a: Integer, b: Integer) -> Integer:
    """A - b."""
    return plus(a, times(number(-1), b))


def extreme(kind: str, values: Iterable[Integer]) -> Integer:
    """The smallest or greatest; one of several of which some are the smallest of others is that of all."""
    found: set[Integer] = set()
    for one in values:
        match list(one[1]):
            case [((("min" | "max" as of, inner),), 1)] if of == kind:
                found |= inner
            case _:
                found.add(one)
    return atom((kind, frozenset(found))) if len(found) > 1 else found.pop()


def divided(a: Integer, d: int) -> Integer:
    """a / d, rounded down, for d > 0."""
    terms = _terms(a)
    if len(terms) == 1:
        (((*atoms,), factor),) = terms.items()
        if factor == 1 and len(atoms) == 1 and _kind(atoms[0]) in _SPREAD:
            return _spread(atoms[0], lambda inner: divided(inner, d))
    whole: Integer = ("poly", frozenset((m, c // d) for m, c in terms.items() if c // d))
    rest = {m: c % d for m, c in terms.items() if c % d}
    if not rest.keys() - {()}:
        return whole
    common = math.gcd(d, *(c for m, c in rest.items() if m))
    rest = {m: c // common for m, c in rest.items() if c // common}
    d //= common
    if d == 1:
        return plus(whole, ("poly", frozenset(rest.items())))
    match [(m, c) for m, c in rest.items() if m]:
        case [((("div", inner, of),), 1)]:
            moved = plus(inner, number(of * rest.get((), 0)))
            return plus(whole, divided(moved, of * d))
        case _:
            return plus(whole, atom(("div", ("poly", frozenset(rest.items())), d)))


def remainder(a: Integer, b: Integer, nonnegative: frozenset[str]) -> Integer:
    """A % b of C: what a division that rounds down leaves, where a is 0 or more; else a value by itself."""
    d = constant(b)
    if d == 1:
        return number(0)
    if d is not None and d > 0 and is_nonnegative(a, nonnegative):
        return minus(a, times(number(d), divided(a, d)))
    return atom(("mod", a, b))


def is_nonnegative(a: Integer, names: frozenset[str]) -> bool:
    """Whether it is 0 or more by the signs of what it is made of, where the variables `names` are."""

    def one(term: Term) -> bool:
        match term:
            case ("v", name):
                return name in names
            case ("div", inner, _):
                return is_nonnegative(inner, names)
            case ("min", inner):
                return all(is_nonnegative(i, names) for i in inner)
            case ("max", inner):
                return any(is_nonnegative(i, names) for i in inner)
            case ("if", _, a, b):
                return is_nonnegative(a, names) and is_nonnegative(b, names)
            case _:
                return False

    return all(c > 0 and all(map(one, m)) for m, c in a[1])


def compared(op: str, a: Integer, b: Integer) -> Term:
    """A condition, by the difference of its sides."""
    if op in ("==", "!="):
        apart = minus(a, b)
        return "compare", op, min(apart, minus(b, a), key=hash)
    less, more = (a, b) if op in ("<", "<=") else (b, a)
    apart = minus(less, more)
    return "compare", "<=", plus(apart, number(1)) if op in ("<", ">") else apart


def joined(op: str, conditions: Iterable[Term]) -> Term:
    """Several conditions, in their order."""
    found: list[Term] = []
    for one in conditions:
        found += one[1] if isinstance(one, tuple) and one[0] == op else (one,)
    return op, tuple(found)


# What is inside


def inside(term: Term) -> Iterator[Term]:
    """A value and all that it is made of."""
    yield term
    if isinstance(term, tuple | frozenset):
        for part in term:
            yield from inside(part)


def unchecked(term: Term) -> Iterator[Term]:
    """The same without elements behind the tests of their own indices, `f_inside(p[i], n, &status) ? a[p[i]] : 0`."""
    match term:
        case ("if", test, ("element", _, position) as element, other) if _tests(test, position):
            yield from (term, *unchecked(test), *unchecked(other), *(t for t in unchecked(element) if t != element))
        case tuple() | frozenset():
            yield term
            for part in term:
                yield from unchecked(part)
        case _:
            yield term


def _tests(condition: Term, position: Term) -> bool:
    """Whether a condition is calls that test an index each, and all elements in a position are among those indices."""
    calls = [*condition[1]] if condition[:1] == ("&&",) else [condition]
    if not all(isinstance(c, tuple) and c[0] == "call" and c[1].endswith("_inside") for c in calls):
        return False
    tested = {t for c in calls for t in inside(c[2])}
    return all(t in tested for t in inside(position) if isinstance(t, tuple) and t[:1] == ("element",))


def read_always(term: Term) -> Iterator[Term]:
    """A value and all that C evaluates whenever it evaluates that."""
    yield term
    match term:
        case ("if", condition, _, _):
            yield from read_always(condition)
        case ("&&" | "||", (first, *_)):
            yield from read_always(first)
        case tuple() | frozenset():
            for part in term:
                yield from read_always(part)


def chosen_by_data(term: Term) -> bool:
    """Whether it is an element whose position depends on others."""
    match term:
        case ("element", _, position):
            return any(isinstance(t, tuple) and t[:1] in (("element",), ("call",)) for t in inside(position))
        case _:
            return False


# What the loop IR has


def affine(a: Affine, names: Mapping[str, Integer] | Callable[[str], str]) -> Integer:
    """An affine expression; `names` says what its names are in C."""

    def one(term: str | FloorDiv) -> Integer:
        if isinstance(term, FloorDiv):
            return divided(affine(term.numerator, names), term.divisor)
        return atom(("v", names(term))) if callable(names) else names[term]

    result = number(a.constant)
    for term, c in a.terms:
        result = plus(result, times(number(c), one(term)))
    return result


def value(v: Value, names: Callable[[str], str]) -> Integer:
    """A bound."""
    match v:
        case Affine():
            return affine(v, names)
        case Extreme(kind, args):
            return extreme(kind, (value(a, names) for a in args))
        case Choice(cond, a, b):
            return atom(("if", condition(cond, names), value(a, names), value(b, names)))


def condition(c: Condition, names: Callable[[str], str]) -> Term:
    """A condition."""
    match c:
        case Compare(op, a, b):
            return compared(op, value(a, names), value(b, names))
        case Combine(op, args):
            return joined(op, (condition(a, names) for a in args))
        case Nonzero():
            raise AssertionError("an element is read as those of statements are (expected_nodes.py)")
