"""Applications as they are written: folded only where no bit of any result changes.

`apply` folds as in algebra: 0 * x is 0, though it is nan where x is infinite, and x + 0 is x, though -0 + 0 is 0. What
is written in C, or in a text of equations, means what it says; compiled in an order of ours, it is simplified.
"""

from __future__ import annotations

from polyad.ir.expr import Apply, Const, Expr
from polyad.ops.registry import apply, cast, is_number, promote

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
    if "float" not in dtype or (isinstance(folded, Apply) and folded.op == name and folded.args == args):
        return folded
    common = tuple(cast(a, promote(*(a.dtype for a in args), dtype)) for a in args)
    return folded if _keeps_bits(name, common, dtype) else Apply(name, common, dtype)


def _keeps_bits(name: str, args: tuple[Expr, ...], dtype: str) -> bool:
    """Whether what `apply` makes of it is known to be the same number, and the same zero."""
    if all(isinstance(a, Const) for a in args):
        return name == "neg" or (name in _EXACT and dtype == "float64")
    match name, args:
        case "add", (a, b):
            return not is_number(a, 0) and not is_number(b, 0)
        case "sub", (a, _):
            return not is_number(a, 0)
        case "mul", (a, b):
            return not any(is_number(x, 0) or (is_number(x, -1) and _is_difference(y)) for x, y in ((a, b), (b, a)))
        case "div", (a, b):
            return not is_number(a, 0) and not (is_number(b, -1) and _is_difference(a))
        case "neg", (a,):
            return not _is_difference(a)
        case "pow", (_, b):
            return isinstance(b, Const) and b.value in (0, 1, 2)
    return False


def _is_difference(expr: Expr) -> bool:
    """Whether it folds with a sign in front: -(a - b) is b - a, but where both are 0."""
    return isinstance(expr, Apply) and expr.op == "sub"
