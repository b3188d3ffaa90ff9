"""Integers and conditions of the loop IR as Python functions of what their names stand for."""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping
from functools import lru_cache
from typing import Any, TypeVar, cast

from polyad.codegen.loops.loop_values import Choice, Combine, Compare, Condition, Extreme, Nonzero, Value
from polyad.ir.affine import Affine, FloorDiv
from polyad.ir.polynomials import Polynomial

__all__ = ["Functions", "Integers", "condition_function", "index_function", "polynomial_value", "value_function"]

Integers = Mapping[str, int]
"""Sizes, iterators and named integers."""

_Made = TypeVar("_Made")


class Functions:
    """The functions of the nodes of one plan, which are asked for at each of their executions.

    They are found by identity: to compare two values term by term takes longer than to compute them.
    """

    def __init__(self) -> None:
        self._made: dict[int, tuple[object, object]] = {}

    def of(self, value: Any, make: Callable[[Any], _Made]) -> _Made:
        """`make(value)`, made once; a value is always asked for with the same `make`."""
        found = self._made.get(id(value))
        if found is None:
            found = self._made[id(value)] = (value, make(value))  # which keeps the value, and so its number
        return cast("_Made", found[1])


@lru_cache(maxsize=4096)
def value_function(value: Value) -> Callable[[Integers], int]:
    """Return a function that computes a value."""
    function: Callable[[Integers], int] = eval(f"lambda e: {_value(value)}")
    return function


@lru_cache(maxsize=4096)
def condition_function(condition: Condition) -> Callable[[Integers], bool]:
    """Return a function that tests a condition."""
    function: Callable[[Integers], bool] = eval(f"lambda e: {_condition(condition)}")
    return function


@lru_cache(maxsize=4096)
def index_function(index: tuple[Affine, ...]) -> Callable[[Integers], tuple[int, ...]]:
    """Return a function that computes several values."""
    function: Callable[[Integers], tuple[int, ...]] = eval(f"lambda e: ({''.join(f'{_affine(i)}, ' for i in index)})")
    return function


def polynomial_value(value: Polynomial, names: Integers) -> int:
    """A distance in memory."""
    return sum(
        c * math.prod(value_function(Affine(((factor, 1),)))(names) for factor in monomial)
        for monomial, c in value.items()
    )


def _affine(value: Affine) -> str:
    terms = [f"{c}*{_atom(a)}" if c != 1 else _atom(a) for a, c in value.terms]
    return "+".join([*terms, *([str(value.constant)] if value.constant or not terms else [])]).replace("+-", "-")


def _atom(atom: str | FloorDiv) -> str:
    return f"e[{atom!r}]" if isinstance(atom, str) else f"(({_affine(atom.numerator)})//{atom.divisor})"


def _value(value: Value) -> str:
    match value:
        case Affine():
            return _affine(value)
        case Extreme(kind, args):
            return f"{kind}({', '.join(map(_value, args))})" if len(args) > 1 else _value(args[0])
        case Choice(cond, a, b):
            return f"(({_value(a)}) if {_condition(cond)} else ({_value(b)}))"


def _condition(condition: Condition) -> str:
    match condition:
        case Compare(op, a, b):
            return f"(({_value(a)}) {op} ({_value(b)}))"
        case Combine(op, args):
            return f"({(' and ' if op == '&&' else ' or ').join(map(_condition, args))})"
        case Nonzero():
            return "True"  # what it leaves out may run as well
