"""Exponentials, logarithms, roots and the error function."""

from __future__ import annotations

import math
from typing import Any

import numpy as np

from polyad.ir.expr import Expr
from polyad.ops.registry import ScalarOp, apply, const, register, select

__all__: list[str] = []

_erf_object = np.frompyfunc(math.erf, 1, 1)


def _erf(x: Any) -> Any:
    """NumPy has no erf; the C library's, one element at a time."""
    return np.asarray(_erf_object(x), dtype=np.float64)[()]


def _reciprocal(x: Expr) -> Expr:
    return apply("div", const(1, x.dtype), x)


def _rsqrt_partials(args: tuple[Expr, ...], y: Expr) -> tuple[Expr | None, ...]:
    """-x^(-3/2) / 2 = -y^3 / 2."""
    return (apply("mul", const(-0.5, y.dtype), apply("mul", y, apply("mul", y, y))),)


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


def _erf_partials(args: tuple[Expr, ...], y: Expr) -> tuple[Expr | None, ...]:
    """2 / sqrt(pi) exp(-x^2)."""
    (x,) = args
    return (apply("mul", const(2 / math.sqrt(math.pi), y.dtype), apply("exp", apply("neg", apply("mul", x, x)))),)


register(
    ScalarOp(
        "exp",
        1,
        np.exp,
        partials=lambda args, y: (y,),
        c="pa_exp_{f}({0})",
        kind="float",
        cost=20,
        like="exp",
        once=True,
        sample=((-2.0, 2.0),),
        doc="e^x",
    )
)
register(
    ScalarOp(
        "expm1",
        1,
        np.expm1,
        partials=lambda args, y: (apply("add", y, const(1, y.dtype)),),
        c="pa_expm1_{f}({0})",
        kind="float",
        cost=20,
        like="exp",
        once=True,
        sample=((-2.0, 2.0),),
        doc="e^x - 1, accurate near 0",
    )
)
register(
    ScalarOp(
        "log",
        1,
        np.log,
        partials=lambda args, y: (_reciprocal(args[0]),),
        c="pa_log_{f}({0})",
        kind="float",
        cost=20,
        like="exp",
        once=True,
        sample=((0.2, 3.0),),
        doc="natural logarithm",
    )
)
register(
    ScalarOp(
        "log1p",
        1,
        np.log1p,
        partials=lambda args, y: (_reciprocal(apply("add", const(1, y.dtype), args[0])),),
        c="pa_log1p_{f}({0})",
        kind="float",
        cost=20,
        like="exp",
        once=True,
        sample=((-0.8, 2.0),),
        doc="log(1 + x), accurate near 0",
    )
)
register(
    ScalarOp(
        "sqrt",
        1,
        np.sqrt,
        partials=lambda args, y: (apply("div", const(0.5, y.dtype), y),),
        c="pa_sqrt_{f}({0})",
        kind="float",
        cost=6,
        like="division",
        sample=((0.2, 3.0),),
        doc="square root",
    )
)
register(
    ScalarOp(
        "rsqrt",
        1,
        lambda x: 1 / np.sqrt(x),
        partials=_rsqrt_partials,
        c="pa_rsqrt_{f}({0})",
        kind="float",
        cost=10,
        like="division",
        sample=((0.2, 3.0),),
        doc="1 / sqrt(x)",
    )
)
register(
    ScalarOp(
        "hypot",
        2,
        np.hypot,
        partials=_hypot_partials,
        c="pa_hypot_{f}({0}, {1})",
        kind="float",
        cost=12,
        like="division",
        sample=((0.2, 2.0), (-2.0, -0.2)),
        doc="sqrt(x^2 + y^2) without overflow on the way; its derivative at (0, 0) is 0",
    )
)
register(
    ScalarOp(
        "logaddexp",
        2,
        np.logaddexp,
        partials=_logaddexp_partials,
        c="pa_logaddexp_{f}({0}, {1})",
        kind="float",
        cost=40,
        like="exp",
        sample=((-2.0, 2.0), (-2.0, 2.0)),
        doc="log(e^x + e^y), without overflow and also where both are the same infinity",
    )
)
register(
    ScalarOp(
        "erf",
        1,
        _erf,
        partials=_erf_partials,
        c="pa_erf_{f}({0})",
        kind="float",
        cost=25,
        like="exp",
        once=True,
        sample=((-2.0, 2.0),),
        doc="error function, 2 / sqrt(pi) times the integral of exp(-t^2) from 0 to x",
    )
)
