"""Hyperbolic functions, their inverses, and the logistic function."""

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


def _asinh_slope(x: Expr, y: Expr) -> Expr:
    """1 / sqrt(x^2 + 1)."""
    return apply("rsqrt", apply("add", apply("mul", x, x), const(1, y.dtype)))


def _acosh_slope(x: Expr, y: Expr) -> Expr:
    """1 / sqrt((x - 1) (x + 1)); the product, as x^2 - 1 has no digits left near 1."""
    one = const(1, y.dtype)
    return apply("rsqrt", apply("mul", apply("sub", x, one), apply("add", x, one)))


def _atanh_slope(x: Expr, y: Expr) -> Expr:
    """1 / ((1 - x) (1 + x))."""
    one = const(1, y.dtype)
    return apply("div", one, apply("mul", apply("sub", one, x), apply("add", one, x)))


unary("sinh", np.sinh, lambda x, y: apply("cosh", x), (-2.0, 2.0), cost=25, like="exp", doc="hyperbolic sine")
unary("cosh", np.cosh, lambda x, y: apply("sinh", x), (-2.0, 2.0), cost=25, like="exp", doc="hyperbolic cosine")
unary("tanh", np.tanh, _tanh_slope, (-2.0, 2.0), cost=20, like="exp", once=True, doc="hyperbolic tangent")
unary("asinh", np.arcsinh, _asinh_slope, (-2.0, 2.0), cost=25, like="exp", doc="the number whose hyperbolic sine is x")
unary(
    "acosh",
    np.arccosh,
    _acosh_slope,
    (1.2, 3.0),
    cost=25,
    like="exp",
    doc="the number >= 0 whose hyperbolic cosine is x",
)
unary(
    "atanh", np.arctanh, _atanh_slope, (-0.8, 0.8), cost=25, like="exp", doc="the number whose hyperbolic tangent is x"
)
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
