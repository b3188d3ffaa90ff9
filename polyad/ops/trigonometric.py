"""Trigonometric functions and their inverses."""

from __future__ import annotations

import numpy as np

from polyad.ir.expr import Expr
from polyad.ops.registry import apply, binary, const, unary

__all__: list[str] = []


def _square(x: Expr) -> Expr:
    return apply("mul", x, x)


def _tan_slope(x: Expr, y: Expr) -> Expr:
    """1 / cos^2 x = 1 + y^2."""
    return apply("add", const(1, y.dtype), _square(y))


def _asin_slope(x: Expr, y: Expr) -> Expr:
    """1 / sqrt(1 - x^2)."""
    return apply("rsqrt", apply("sub", const(1, y.dtype), _square(x)))


def _acos_slope(x: Expr, y: Expr) -> Expr:
    """-1 / sqrt(1 - x^2)."""
    return apply("neg", _asin_slope(x, y))


def _atan_slope(x: Expr, y: Expr) -> Expr:
    """1 / (1 + x^2)."""
    one = const(1, y.dtype)
    return apply("div", one, apply("add", one, _square(x)))


def _atan2_partials(args: tuple[Expr, ...], y: Expr) -> tuple[Expr | None, ...]:
    """For atan2(a, b): b / (a^2 + b^2) and -a / (a^2 + b^2)."""
    a, b = args
    norm = apply("add", _square(a), _square(b))
    return apply("div", b, norm), apply("neg", apply("div", a, norm))


def _cos_slope(x: Expr, y: Expr) -> Expr:
    """-sin x."""
    return apply("neg", apply("sin", x))


unary("sin", np.sin, lambda x, y: apply("cos", x), (-3.0, 3.0), cost=20, like="exp", doc="sine, x in radians")
unary("cos", np.cos, _cos_slope, (-3.0, 3.0), cost=20, like="exp", doc="cosine, x in radians")
unary("tan", np.tan, _tan_slope, (-1.2, 1.2), cost=30, like="exp", doc="tangent of x")
unary("asin", np.arcsin, _asin_slope, (-0.8, 0.8), cost=25, like="exp", doc="arc sine")
unary("acos", np.arccos, _acos_slope, (-0.8, 0.8), cost=25, like="exp", doc="arc cosine")
unary("atan", np.arctan, _atan_slope, (-2.0, 2.0), cost=25, like="exp", doc="arc tangent")
binary(
    "atan2",
    np.arctan2,
    _atan2_partials,
    ((-2.0, 2.0), (0.3, 2.0)),
    cost=40,
    like="exp",
    doc="the angle of the point of the plane with height x and abscissa y",
)
