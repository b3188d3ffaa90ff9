"""Integer expressions and conditions of loop bounds, read from isl's AST.

    Value     ::= Affine | Extreme(min | max, Values) | Choice(Condition, Value, Value)
    Condition ::= Compare(Value op Value) | Combine(&& | ||, Conditions) | Nonzero(array, Affines, C variable)

Arithmetic on extremes and choices is done on their branches, so that everything affine stays an `Affine`.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from typing import Literal

import islpy as isl

from polyad.ir.affine import Affine

__all__ = [
    "Choice",
    "Combine",
    "Compare",
    "Condition",
    "Extreme",
    "Nonzero",
    "Value",
    "add",
    "bounds",
    "branches",
    "condition_from_isl",
    "map_condition",
    "map_value",
    "mentioned",
    "names_of",
    "negated",
    "parts",
    "scale",
    "substitute_condition",
    "substitute_value",
    "value_from_isl",
]


@dataclass(frozen=True, slots=True)
class Extreme:
    """The least or greatest of several values."""

    kind: Literal["min", "max"]
    args: tuple[Value, ...]


@dataclass(frozen=True, slots=True)
class Choice:
    """a where cond else b."""

    cond: Condition
    a: Value
    b: Value


@dataclass(frozen=True, slots=True)
class Compare:
    """a op b with op a comparison of C."""

    op: str
    a: Value
    b: Value


@dataclass(frozen=True, slots=True)
class Combine:
    """All (&&) or some (||) of several conditions."""

    op: Literal["&&", "||"]
    args: tuple[Condition, ...]


@dataclass(frozen=True, slots=True)
class Nonzero:
    """An element that data decide is not 0: a switch (analysis/switches.py), the condition of a guard of its own.

    Attributes:
        array: whose element.
        index: which one.
        local: the C variable that holds it, "" where it is in memory.
    """

    array: str
    index: tuple[Affine, ...]
    local: str = ""


Value = Affine | Extreme | Choice
Condition = Compare | Combine | Nonzero


def map_value(function: Callable[[Affine], Affine], value: Value, decreasing: bool = False) -> Value:
    """Apply a monotone function to the branches; a decreasing one turns min into max."""
    match value:
        case Extreme(kind, args):
            flipped: Literal["min", "max"] = "min" if (kind == "min") != decreasing else "max"
            return Extreme(flipped, tuple(map_value(function, a, decreasing) for a in args))
        case Choice(cond, a, b):
            return Choice(cond, map_value(function, a, decreasing), map_value(function, b, decreasing))
        case Affine():
            return function(value)


def add(left: Value, right: Value) -> Value:
    """left + right."""
    if isinstance(right, Affine):
        return map_value(lambda a: a + right, left)
    match right:
        case Extreme(kind, args):
            return Extreme(kind, tuple(add(left, a) for a in args))
        case Choice(cond, a, b):
            return Choice(cond, add(left, a), add(left, b))


def scale(value: Value, factor: int) -> Value:
    """factor * value."""
    return map_value(lambda a: a * factor, value, decreasing=factor < 0)


def map_condition(function: Callable[[Value], Value], condition: Condition) -> Condition:
    """Apply a function to both sides of all comparisons."""
    match condition:
        case Compare(op, a, b):
            return Compare(op, function(a), function(b))
        case Combine(op, args):
            return Combine(op, tuple(map_condition(function, c) for c in args))
        case Nonzero():
            return condition


def negated(condition: Condition) -> Condition:
    """The condition that holds where this one does not."""
    match condition:
        case Compare(op, a, b):
            return Compare(_NEGATED[op], a, b)
        case Combine(op, args):
            return Combine("||" if op == "&&" else "&&", tuple(map(negated, args)))
        case Nonzero():
            raise AssertionError("a switch is the whole condition of a guard without another side")


_NEGATED = {"<": ">=", ">=": "<", ">": "<=", "<=": ">", "==": "!=", "!=": "=="}


def substitute_value(value: Value, values: Mapping[str, Affine]) -> Value:
    """Replace names by affine expressions."""
    match value:
        case Affine():
            return value.substitute(values)
        case Extreme(kind, args):
            return Extreme(kind, tuple(substitute_value(a, values) for a in args))
        case Choice(cond, a, b):
            return Choice(substitute_condition(cond, values), substitute_value(a, values), substitute_value(b, values))


def substitute_condition(condition: Condition, values: Mapping[str, Affine]) -> Condition:
    """Replace names by affine expressions."""
    return map_condition(lambda v: substitute_value(v, values), condition)


def parts(value: Value | Condition) -> Iterator[Value | Condition]:
    """A value or a condition, and all that it is made of."""
    yield value
    match value:
        case Extreme(_, args) | Combine(_, args):
            yield from (part for a in args for part in parts(a))
        case Compare(_, a, b):
            yield from (*parts(a), *parts(b))
        case Choice(cond, a, b):
            yield from (*parts(cond), *parts(a), *parts(b))
        case Nonzero(_, index):
            yield from index
        case _:
            pass


def bounds(value: Value, kind: Literal["min", "max"]) -> list[Affine | None]:
    """The affine bounds that a value is the least ("min") or greatest of; None for what is not affine."""
    match value:
        case Affine():
            return [value]
        case Extreme(of, args) if of == kind:
            return [b for a in args for b in bounds(a, kind)]
        case _:
            return [None]


def branches(value: Value) -> Iterator[Affine]:
    """The affine expressions of which a value is one."""
    match value:
        case Affine():
            yield value
        case Extreme(_, args):
            yield from (branch for a in args for branch in branches(a))
        case Choice(_, a, b):
            yield from (*branches(a), *branches(b))


def mentioned(value: Value | Condition) -> frozenset[str]:
    """All names in a value or a condition."""
    return frozenset().union(*(part.names() for part in parts(value) if isinstance(part, Affine)))


def names_of(value: Value) -> frozenset[str]:
    """The names in the branches of a value (those of a choice's condition are left out)."""
    return frozenset().union(*(branch.names() for branch in branches(value)))


_COMPARISONS = {
    isl.ast_expr_op_type.eq: "==",
    isl.ast_expr_op_type.le: "<=",
    isl.ast_expr_op_type.lt: "<",
    isl.ast_expr_op_type.ge: ">=",
    isl.ast_expr_op_type.gt: ">",
}


def value_from_isl(expr: isl.AstExpr) -> Value:
    """Read an integer expression of isl's AST."""
    kind = isl.ast_expr_type(expr.get_type())
    if kind == isl.ast_expr_type.id:
        return Affine.of(expr.get_id().get_name())
    if kind == isl.ast_expr_type.int:
        return Affine.of(int(expr.get_val().to_python()))
    op, args = isl.ast_expr_op_type(expr.get_op_type()), [expr.get_op_arg(i) for i in range(expr.get_op_n_arg())]
    ops = isl.ast_expr_op_type
    if op in (ops.cond, ops.select):
        return Choice(condition_from_isl(args[0]), value_from_isl(args[1]), value_from_isl(args[2]))
    if op in (ops.min, ops.max):
        return Extreme("min" if op == ops.min else "max", tuple(value_from_isl(a) for a in args))
    values = [value_from_isl(a) for a in args]
    if op == ops.minus:
        return scale(values[0], -1)
    if op == ops.add:
        return add(*values)
    if op == ops.sub:
        return add(values[0], scale(values[1], -1))
    left, right = values
    if op == ops.mul and isinstance(left, Affine) and left.is_constant:
        return scale(right, left.constant)
    assert isinstance(right, Affine) and right.is_constant, "isl multiplies and divides by numbers only"
    factor = right.constant
    if op == ops.mul:
        return scale(left, factor)
    if op in (ops.div, ops.fdiv_q, ops.pdiv_q):
        # An exact division, one of a non-negative number, and one that rounds down all are floor divisions.
        return map_value(lambda a: a // factor, left)
    assert op in (ops.pdiv_r, ops.zdiv_r), f"isl's AST operation {op} is not an integer expression"
    # zdiv_r is compared with zero only, where the sign convention of the remainder does not matter.
    assert isinstance(left, Affine), "isl takes remainders of affine expressions only"
    return left % factor


def condition_from_isl(expr: isl.AstExpr) -> Condition:
    """Read a condition of isl's AST."""
    if isl.ast_expr_type(expr.get_type()) != isl.ast_expr_type.op:
        # isl writes the universe as 1 and the empty set as 0.
        return Compare("!=", value_from_isl(expr), Affine.of(0))
    op, args = isl.ast_expr_op_type(expr.get_op_type()), [expr.get_op_arg(i) for i in range(expr.get_op_n_arg())]
    if op in _COMPARISONS:
        return Compare(_COMPARISONS[op], value_from_isl(args[0]), value_from_isl(args[1]))
    if op.name in ("and_", "and_then"):
        return _combine("&&", args)
    if op.name in ("or_", "or_else"):
        return _combine("||", args)
    return Compare("!=", value_from_isl(expr), Affine.of(0))


def _combine(op: Literal["&&", "||"], args: list[isl.AstExpr]) -> Condition:
    """Join conditions, flattening those of the same kind."""
    joined: list[Condition] = []
    for condition in map(condition_from_isl, args):
        joined += condition.args if isinstance(condition, Combine) and condition.op == op else (condition,)
    return Combine(op, tuple(joined))
