"""Hyperbolic functions and the logistic function."""

from __future__ import annotations

from typing import Any

import numpy as np

from polyad.ir.expr import Expr
from polyad.ops.registry import apply, const, unary

__all__: list[str] = []


def _sigmoid(x: Any) -> Any:
    """1 / (1 + e^-x) without overflow: e = e^-|x| is at most 1."""
    e = np.exp(-np.abs(x))
    return np.where(np.asarray(x) < 0, e, 1.0)[()] / (1.0 + e)


def _tanh_slope(x: Expr, y: Expr) -> Expr:
    """1 - y^2."""
    return apply("sub", const(1, y.dtype), apply("mul", y, y))


def _sigmoid_slope(x: Expr, y: Expr) -> Expr:
    """y (1 - y)."""
    return apply("mul", y, apply("sub", const(1, y.dtype), y))


unary("sinh", np.sinh, lambda x, y: apply("cosh", x), (-2.0, 2.0), cost=25, like="exp", doc="hyperbolic sine")
unary("cosh", np.cosh, lambda x, y: apply("sinh", x), (-2.0, 2.0), cost=25, like="exp", doc="hyperbolic cosine")
unary("tanh", np.tanh, _tanh_slope, (-2.0, 2.0), cost=20, like="exp", once=True, doc="hyperbolic tangent")
unary(
    "sigmoid",
    _sigmoid,
    _sigmoid_slope,
    (-3.0, 3.0),
    cost=20,
    like="exp",
    once=True,
    doc="logistic function 1 / (1 + e^-x)",
)
