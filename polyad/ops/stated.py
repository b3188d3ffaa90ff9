"""Applications as they are written: folded only where no bit of any result changes.

`apply` folds as in algebra: 0 * x is 0, though it is nan where x is infinite, and x + 0 is x, though -0 + 0 is 0. What
is written in C, or in a text of equations, means what it says; compiled in an order of ours, it is simplified.
"""

from __future__ import annotations

from polyad.ir.expr import Apply, Const, Expr
from polyad.ops.registry import apply, cast, promote

__all__ = ["stated"]

_EXACT = {"add", "sub", "mul", "div"}
"""What IEEE 754 rounds correctly: NumPy's result is C's."""


def stated(name: str, *args: Expr) -> Expr:
    """op(args) with the arguments brought to their common type, as `apply` does it where that keeps every bit.

    Raises:
        DTypeError: the number or type of the arguments does not fit the operator.
    """
    folded = apply(name, *args)  # which looks at the arguments, too
    dtype = folded.dtype
    if not dtype.startswith("float") or (isinstance(folded, Apply) and folded.op == name and folded.args == args):
        return folded
    common = tuple(cast(a, promote(*(a.dtype for a in args), dtype)) for a in args)
    return Apply(name, common, dtype) if _changes(name, common, dtype) else folded


def _changes(name: str, args: tuple[Expr, ...], dtype: str) -> bool:
    """Whether what `apply` makes of it may be another number, or another zero."""
    if all(isinstance(a, Const) for a in args):
        return name != "neg" and (name not in _EXACT or dtype != "float64")
    match name, args:
        case "add" | "mul" | "masked_mul", _:
            return any(_is(a, 0) for a in args) or (any(_is(a, -1) for a in args) and any(map(_is_difference, args)))
        case "sub", (a, _):
            return _is(a, 0)
        case "div", (a, b):
            return _is(a, 0) or (_is(b, -1) and _is_difference(a))
        case "neg", (a,):
            return _is_difference(a)
        case "pow", (_, b):
            return isinstance(b, Const) and b.value not in (0, 1, 2)
    return False


def _is(expr: Expr, value: float) -> bool:
    return isinstance(expr, Const) and expr.value == value


def _is_difference(expr: Expr) -> bool:
    return isinstance(expr, Apply) and expr.op == "sub"
