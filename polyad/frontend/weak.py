"""Types of mixed expressions: Python numbers, indices and tensors made of numbers only are weak.

A weak operand takes the type of the strong ones, as in NumPy 2; a weak float next to strong integers gives float64.
Types of 8 and 16 bits are those of arrays: an expression of such a type is one of int32 or float32, whose integers come
back to what the type holds after each operation.

A number written in the program that the type it takes does not hold is refused: an integer out of range, or one that
float64 would round.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from typing import NamedTuple

from polyad.errors import DTypeError
from polyad.frontend.definition import Strength
from polyad.ir.element_types import COMPUTED, computed, holds, is_integer
from polyad.ir.expr import Const, Expr
from polyad.ops.registry import OPS, apply, cast, promote, select

__all__ = [
    "Kind",
    "Typed",
    "apply_typed",
    "common_kind",
    "converted",
    "held",
    "reduced_kind",
    "result_kind",
    "select_typed",
    "taken_branch",
]


_OF_TRUTHS = {"bitwise_and": "and", "bitwise_or": "or", "bitwise_xor": "ne", "bitwise_not": "not"}
"""Operators of bits -> what they are where all that they combine are truth values, as in NumPy."""


class Kind(NamedTuple):
    """An element type and how it meets others."""

    dtype: str
    strength: Strength

    @property
    def weak(self) -> bool:
        """Whether it takes the type of what it meets."""
        return self.strength == "weak"


@dataclass(frozen=True, slots=True, eq=False)
class Typed:
    """An expression and how its type meets others.

    Attributes:
        expr: the expression.
        strength: whether it takes the type of what it meets.
        small: its type, where that has fewer bits than what is computed with; else "".
    """

    expr: Expr
    strength: Strength = "strong"
    small: str = ""

    @property
    def kind(self) -> Kind:
        """Its type."""
        return Kind(self.small or self.expr.dtype, self.strength)


def common_kind(items: Sequence[Kind]) -> Kind:
    """The type that operands of these types are brought to."""
    strong = [i.dtype for i in items if not i.weak]
    if not strong:
        return Kind(promote(*(i.dtype for i in items)), "weak")
    target = promote(*strong)
    if "float" not in target and any(i.weak and "float" in i.dtype for i in items):
        target = "float64"
    elif target == "bool" and any(i.weak and i.dtype != "bool" for i in items):
        target = "int64"
    return Kind(target, "strong")


def result_kind(op: str, args: Sequence[Kind]) -> Kind:
    """The type of op(args)."""
    entry = OPS[_meant(op, args)]
    if entry.kind in ("bool", "logical"):
        return Kind("bool", "strong")
    dtype, strength = common_kind(args)
    if entry.kind == "float" and "float" not in dtype:
        return Kind("float64", "weak" if strength == "weak" else "strong")
    if entry.kind == "same" and dtype == "bool":
        return Kind("int64", strength)
    return Kind(dtype, strength)


def _meant(op: str, args: Sequence[Kind]) -> str:
    """The operator of truth values where an operator of bits combines them."""
    return _OF_TRUTHS[op] if op in _OF_TRUTHS and all(a.dtype == "bool" for a in args) else op


def reduced_kind(kind: str, body: Kind) -> Kind:
    """The type of a reduction: sums and products of integers of 8 and 16 bits are integers of 32."""
    if kind in ("argmax", "argmin"):
        return Kind("int64", "strong")
    if body.dtype == "bool":
        return Kind("int32", "strong")
    return Kind(computed(body.dtype), "strong") if is_integer(body.dtype) and kind in ("sum", "prod") else body


def converted(expr: Expr, dtype: str) -> Expr:
    """`ops.cast`, where a number that is written in the program keeps its value.

    A type of fewer bits than what is computed with stays what is computed with; its range is looked at.

    Raises:
        DTypeError: the type does not hold it: an integer out of range, or one that float64 would round.
    """
    if isinstance(expr, Const) and expr.dtype != "bool":
        value = expr.value
        if is_integer(dtype) and not (math.isfinite(value) and holds(dtype, int(value))):
            written = isinstance(value, int) and f"; write {float(value)!r} if a float is meant"
            raise DTypeError(f"{value} is outside of the range of {dtype}{written or ''}")
        if dtype == "float64" and isinstance(value, int) and int(float(value)) != value:
            raise DTypeError(
                f"the integer {value} is no float64: it would become {int(float(value))}; write {float(value)!r} if "
                "that is meant"
            )
    return cast(expr, computed(dtype))


def apply_typed(op: str, args: Sequence[Typed]) -> Typed:
    """op(args) with weak operands converted to the type of the strong ones."""
    kinds = [a.kind for a in args]
    op = _meant(op, kinds)
    target, _ = common_kind(kinds)
    if OPS[op].kind == "logical":
        return Typed(apply(op, *(a.expr for a in args)))
    if OPS[op].kind == "bool" and computed(target) in ("int32", "uint32"):  # ids < 2**40 is a fair question
        numbers = [int(a.expr.value) for a in args if isinstance(a.expr, Const)]
        target = target if all(holds(target, n) for n in numbers) else "int64"
    if OPS[op].kind == "bool":
        target = computed(target)
    return held(apply(op, *(converted(a.expr, target) for a in args)), result_kind(op, kinds))


def held(value: Expr, kind: Kind) -> Typed:
    """A value of what is computed with, as one of a type: integers of 8 and 16 bits wrap around at their width."""
    if kind.dtype not in COMPUTED:
        return Typed(value, kind.strength)
    comes_back = is_integer(kind.dtype) and value.dtype != "bool" and not isinstance(value, Const)
    return Typed(cast(cast(value, kind.dtype), value.dtype) if comes_back else value, kind.strength, kind.dtype)


def select_typed(cond: Expr, a: Typed, b: Typed) -> Typed:
    """cond ? a : b at the common type of a and b."""
    target, strength = common_kind([a.kind, b.kind])
    chosen = select(cond, converted(a.expr, target), converted(b.expr, target))
    return Typed(chosen, strength, target if target in COMPUTED else "")


def taken_branch(taken: Typed, other: Kind) -> Typed:
    """The branch that every instance takes, at the common type with the one that none takes."""
    target, strength = common_kind([taken.kind, other])
    return Typed(converted(taken.expr, target), strength, target if target in COMPUTED else "")
