"""Exponentials, logarithms, roots and the error function."""

from __future__ import annotations

import math
from statistics import NormalDist
from typing import Any

import numpy as np

from polyad.ir.expr import Expr
from polyad.ops.registry import apply, binary, const, select, unary

__all__: list[str] = []

_erf_object = np.frompyfunc(math.erf, 1, 1)


def _erf(x: Any) -> Any:
    """NumPy has no erf; the C library's, one element at a time."""
    return np.asarray(_erf_object(x), dtype=np.float64)[()]


def _reciprocal(x: Expr) -> Expr:
    return apply("div", const(1, x.dtype), x)


def _rsqrt_slope(x: Expr, y: Expr) -> Expr:
    """-x^(-3/2) / 2 = -y^3 / 2."""
    return apply("mul", const(-0.5, y.dtype), apply("mul", y, apply("mul", y, y)))


def _cbrt_slope(x: Expr, y: Expr) -> Expr:
    """x^(-2/3) / 3 = 1 / (3 y^2): inf at 0, from both sides, and never a quotient by x, which were 0 / 0 there."""
    return apply("div", const(1, y.dtype), apply("mul", const(3, y.dtype), apply("mul", y, y)))


def _hypot_partials(args: tuple[Expr, ...], y: Expr) -> tuple[Expr | None, ...]:
    """x / r; the sign of x where |x| = r, which at infinity and at 0 is no quotient (0 at 0, as for abs)."""
    return tuple(select(apply("eq", apply("abs", x), y), apply("sign", x), apply("div", x, y)) for x in args)


def _logaddexp_partials(args: tuple[Expr, ...], y: Expr) -> tuple[Expr | None, ...]:
    """e^x / (e^x + e^y) = sigmoid(x - y); 1/2 where both are the same infinity.

    The test is for these alone: where both are the same number, 1/2 is right, and a constant, whose derivative is not.
    """
    a, b = args
    half, zero = const(0.5, y.dtype), const(0, y.dtype)

    def share(x: Expr, other: Expr) -> Expr:
        difference = apply("sub", x, other)
        infinite = apply("and", apply("eq", a, b), apply("ne", difference, zero))
        return select(infinite, half, apply("sigmoid", difference))

    return share(a, b), share(b, a)


def _erf_slope(x: Expr, y: Expr) -> Expr:
    """2 / sqrt(pi) exp(-x^2)."""
    return apply("mul", const(2 / math.sqrt(math.pi), y.dtype), apply("exp", apply("neg", apply("mul", x, x))))


def _erfinv_number(x: float) -> float:
    """The quantile of the normal distribution, with two steps of Newton's method by erf, or erfc near 1."""
    a = abs(x)
    if not a < 1:
        return math.copysign(math.inf, x) if a == 1 else math.nan
    if a < 1e-5:
        return math.sqrt(math.pi) / 2 * (x + math.pi / 12 * x**3)
    y = -NormalDist().inv_cdf((1 - a) / 2) / math.sqrt(2)
    for _ in range(2):
        off = math.erf(y) - a if a < 0.5 else (1 - a) - math.erfc(y)
        y -= off * math.sqrt(math.pi) / 2 * math.exp(y * y)
    return math.copysign(y, x)


_erfinv_object = np.frompyfunc(_erfinv_number, 1, 1)


def _erfinv(x: Any) -> Any:
    return np.asarray(_erfinv_object(x), dtype=np.float64)[()]


def _erfinv_slope(x: Expr, y: Expr) -> Expr:
    """sqrt(pi) / 2 exp(y^2)."""
    return apply("mul", const(math.sqrt(math.pi) / 2, y.dtype), apply("exp", apply("mul", y, y)))


unary("exp", np.exp, lambda x, y: y, (-2.0, 2.0), cost=20, like="exp", once=True, doc="e^x")
unary(
    "expm1",
    np.expm1,
    lambda x, y: apply("add", y, const(1, y.dtype)),
    (-2.0, 2.0),
    cost=20,
    like="exp",
    once=True,
    doc="e^x - 1, accurate near 0",
)
unary("log", np.log, lambda x, y: _reciprocal(x), (0.2, 3.0), cost=20, like="exp", once=True, doc="natural logarithm")
unary(
    "log1p",
    np.log1p,
    lambda x, y: _reciprocal(apply("add", const(1, y.dtype), x)),
    (-0.8, 2.0),
    cost=20,
    like="exp",
    once=True,
    doc="log(1 + x), accurate near 0",
)
unary(
    "sqrt",
    np.sqrt,
    lambda x, y: apply("div", const(0.5, y.dtype), y),
    (0.2, 3.0),
    cost=6,
    like="division",
    doc="square root",
)
unary("rsqrt", lambda x: 1 / np.sqrt(x), _rsqrt_slope, (0.2, 3.0), cost=10, like="division", doc="1 / sqrt(x)")
unary(
    "cbrt",
    np.cbrt,
    _cbrt_slope,
    (0.2, 3.0),
    cost=25,
    like="exp",
    doc="cube root, that of -x is minus that of x; its derivative at 0 is inf",
)
binary(
    "hypot",
    np.hypot,
    _hypot_partials,
    ((0.2, 2.0), (-2.0, -0.2)),
    cost=12,
    like="division",
    doc="sqrt(x^2 + y^2) without overflow on the way; its derivative at (0, 0) is 0",
)
binary(
    "logaddexp",
    np.logaddexp,
    _logaddexp_partials,
    ((-2.0, 2.0), (-2.0, 2.0)),
    cost=40,
    like="exp",
    doc="log(e^x + e^y), without overflow and also where both are the same infinity",
)
unary(
    "erf",
    _erf,
    _erf_slope,
    (-2.0, 2.0),
    cost=25,
    like="exp",
    once=True,
    doc="error function, 2 / sqrt(pi) times the integral of exp(-t^2) from 0 to x",
)
unary(
    "erfinv",
    _erfinv,
    _erfinv_slope,
    (-0.9, 0.9),
    cost=50,
    like="exp",
    once=True,
    doc="the x whose erf it is; +-inf at +-1, nan beyond",
)
