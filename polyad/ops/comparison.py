"""Comparisons, which have no derivative, and maximum and minimum, which share it at a tie."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

from polyad.ir.expr import Expr
from polyad.ops.registry import Partials, apply, binary, const, select, unary

__all__ = ["attains"]

_ANY = (-2.0, 2.0)


def _compare(name: str, value: Callable[..., Any], symbol: str, doc: str) -> None:
    c, written = f"{{0}} {symbol} {{1}}", f"x {symbol} y"
    binary(name, value, None, (_ANY, _ANY), c=c, kind="bool", cost=1, written=written, doc=doc)


_compare("lt", np.less, "<", "x < y")
_compare("le", np.less_equal, "<=", "x <= y")
_compare("gt", np.greater, ">", "x > y")
_compare("ge", np.greater_equal, ">=", "x >= y")
_compare("eq", np.equal, "==", "x = y")
_compare("ne", np.not_equal, "!=", "x differs from y")


def _fold_isnan(args: tuple[Expr, ...]) -> Expr | None:
    return None if "float" in args[0].dtype else const(False, "bool")


unary("isnan", np.isnan, None, _ANY, kind="bool", cost=1, fold=_fold_isnan, doc="x is not a number")


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


def _choose(name: str, value: Callable[..., Any], beats: str, which: str) -> None:
    doc = f"the {which} of x and y, nan when one is; at a tie each gets half the derivative"
    binary(name, value, _optimum(beats), (_ANY, _ANY), kind="same", cost=1, doc=doc)


_choose("maximum", np.maximum, "gt", "larger")
_choose("minimum", np.minimum, "lt", "smaller")
