"""Comparisons, which have no derivative, and maximum and minimum, which share it at a tie."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

from polyad.ir.expr import Expr
from polyad.ops.registry import Partials, ScalarOp, apply, const, register, select

__all__ = ["attains"]

_ANY = (-2.0, 2.0)


def _compare(name: str, value: Callable[..., Any], symbol: str, doc: str) -> None:
    register(
        ScalarOp(
            name,
            2,
            value,
            partials=None,
            c=f"{{0}} {symbol} {{1}}",
            kind="bool",
            cost=1,
            sample=(_ANY, _ANY),
            written=f"x {symbol} y",
            doc=doc,
        )
    )


_compare("lt", np.less, "<", "x < y")
_compare("le", np.less_equal, "<=", "x <= y")
_compare("gt", np.greater, ">", "x > y")
_compare("ge", np.greater_equal, ">=", "x >= y")
_compare("eq", np.equal, "==", "x = y")
_compare("ne", np.not_equal, "!=", "x differs from y")


def _fold_isnan(args: tuple[Expr, ...]) -> Expr | None:
    return None if args[0].dtype.startswith("float") else const(False, "bool")


register(
    ScalarOp(
        "isnan",
        1,
        np.isnan,
        partials=None,
        c="pa_isnan_{f}({0})",
        kind="bool",
        cost=1,
        sample=(_ANY,),
        fold=_fold_isnan,
        doc="x is not a number",
    )
)


def attains(kind: str, value: Expr, optimum: Expr) -> Expr:
    """Whether a value is the optimum it was compared for: it is not beaten, or it is not a number.

    So where the optimum is nan the values that are nan attain it, and where it is a number those that equal it.

    Args:
        kind: max or min.
        value: what was reduced.
        optimum: the result.
    """
    return apply("or", apply("ge" if kind == "max" else "le", value, optimum), apply("isnan", value))


def _optimum(beats: str) -> Partials:
    """The argument that attains the optimum gets 1, at a tie both get 1/2: the shares add up to 1."""

    def share(a: Expr, b: Expr) -> Expr:
        one, half, zero = const(1, a.dtype), const(0.5, a.dtype), const(0, a.dtype)
        return select(apply("eq", a, b), half, select(apply(beats, a, b), one, zero))

    return lambda args, y: (share(args[0], args[1]), share(args[1], args[0]))


register(
    ScalarOp(
        "maximum",
        2,
        np.maximum,
        partials=_optimum("gt"),
        c="pa_maximum_{f}({0}, {1})",
        kind="same",
        cost=1,
        sample=(_ANY, _ANY),
        doc="the larger of x and y, nan when one is; at a tie each gets half the derivative",
    )
)
register(
    ScalarOp(
        "minimum",
        2,
        np.minimum,
        partials=_optimum("lt"),
        c="pa_minimum_{f}({0}, {1})",
        kind="same",
        cost=1,
        sample=(_ANY, _ANY),
        doc="the smaller of x and y, nan when one is; at a tie each gets half the derivative",
    )
)
