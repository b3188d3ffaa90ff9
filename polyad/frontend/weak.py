"""Types of mixed expressions: Python numbers, indices and tensors made of numbers only are weak.

A weak operand takes the type of the strong ones, as in NumPy 2; a weak float next to strong integers gives float64. An
integer written in the program that float64 does not hold is refused where it would be rounded to one.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from polyad.errors import DTypeError
from polyad.ir.expr import Const, Expr
from polyad.ops.registry import OPS, apply, cast, promote, select

__all__ = ["Typed", "apply_typed", "select_typed"]


@dataclass(frozen=True, slots=True, eq=False)
class Typed:
    """An expression and whether its type may give way."""

    expr: Expr
    weak: bool = False


def _common(items: Sequence[Typed]) -> tuple[str, bool]:
    strong = [i.expr.dtype for i in items if not i.weak]
    if not strong:
        return promote(*(i.expr.dtype for i in items)), True
    target = promote(*strong)
    if not target.startswith("float") and any(i.weak and i.expr.dtype.startswith("float") for i in items):
        target = "float64"
    elif target == "bool" and any(i.weak and i.expr.dtype != "bool" for i in items):
        target = "int64"
    return target, False


def _converted(expr: Expr, dtype: str) -> Expr:
    """`ops.cast`, without rounding an integer constant on the way to float64.

    Raises:
        DTypeError: float64 does not hold it.
    """
    if (
        dtype == "float64"
        and isinstance(expr, Const)
        and expr.dtype == "int64"
        and int(float(expr.value)) != expr.value
    ):
        raise DTypeError(
            f"the integer {expr.value} is no float64: it would become {int(float(expr.value))}; write "
            f"{float(expr.value)!r} if that is meant"
        )
    return cast(expr, dtype)


def apply_typed(op: str, args: Sequence[Typed]) -> Typed:
    """op(args) with weak operands converted to the type of the strong ones."""
    target, weak = _common(args)
    if OPS[op].kind == "bool" and op in ("and", "or", "not"):
        return Typed(apply(op, *(a.expr for a in args)), False)
    result = apply(op, *(_converted(a.expr, target) for a in args))
    return Typed(result, weak and OPS[op].kind != "bool")


def select_typed(cond: Expr, a: Typed, b: Typed) -> Typed:
    """cond ? a : b at the common type of a and b."""
    target, weak = _common([a, b])
    return Typed(select(cond, _converted(a.expr, target), _converted(b.expr, target)), weak)
