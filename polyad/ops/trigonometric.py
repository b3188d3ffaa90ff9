"""Trigonometric functions and their inverses."""

from __future__ import annotations

import numpy as np

from polyad.ir.expr import Expr
from polyad.ops.registry import ScalarOp, apply, const, register

__all__: list[str] = []


def _square(x: Expr) -> Expr:
    return apply("mul", x, x)


def _tan_partials(args: tuple[Expr, ...], y: Expr) -> tuple[Expr | None, ...]:
    """1 / cos^2 x = 1 + y^2."""
    return (apply("add", const(1, y.dtype), _square(y)),)


def _asin_partials(args: tuple[Expr, ...], y: Expr) -> tuple[Expr | None, ...]:
    """1 / sqrt(1 - x^2)."""
    return (apply("rsqrt", apply("sub", const(1, y.dtype), _square(args[0]))),)


def _acos_partials(args: tuple[Expr, ...], y: Expr) -> tuple[Expr | None, ...]:
    """-1 / sqrt(1 - x^2)."""
    return (apply("neg", apply("rsqrt", apply("sub", const(1, y.dtype), _square(args[0])))),)


def _atan_partials(args: tuple[Expr, ...], y: Expr) -> tuple[Expr | None, ...]:
    """1 / (1 + x^2)."""
    one = const(1, y.dtype)
    return (apply("div", one, apply("add", one, _square(args[0]))),)


def _atan2_partials(args: tuple[Expr, ...], y: Expr) -> tuple[Expr | None, ...]:
    """For atan2(a, b): b / (a^2 + b^2) and -a / (a^2 + b^2)."""
    a, b = args
    norm = apply("add", _square(a), _square(b))
    return apply("div", b, norm), apply("neg", apply("div", a, norm))


register(
    ScalarOp(
        "sin",
        1,
        np.sin,
        partials=lambda args, y: (apply("cos", args[0]),),
        c="pa_sin_{f}({0})",
        kind="float",
        cost=20,
        like="exp",
        sample=((-3.0, 3.0),),
        doc="sine, x in radians",
    )
)
register(
    ScalarOp(
        "cos",
        1,
        np.cos,
        partials=lambda args, y: (apply("neg", apply("sin", args[0])),),
        c="pa_cos_{f}({0})",
        kind="float",
        cost=20,
        like="exp",
        sample=((-3.0, 3.0),),
        doc="cosine, x in radians",
    )
)
register(
    ScalarOp(
        "tan",
        1,
        np.tan,
        partials=_tan_partials,
        c="pa_tan_{f}({0})",
        kind="float",
        cost=30,
        like="exp",
        sample=((-1.2, 1.2),),
        doc="tangent of x",
    )
)
register(
    ScalarOp(
        "asin",
        1,
        np.arcsin,
        partials=_asin_partials,
        c="pa_asin_{f}({0})",
        kind="float",
        cost=25,
        like="exp",
        sample=((-0.8, 0.8),),
        doc="arc sine",
    )
)
register(
    ScalarOp(
        "acos",
        1,
        np.arccos,
        partials=_acos_partials,
        c="pa_acos_{f}({0})",
        kind="float",
        cost=25,
        like="exp",
        sample=((-0.8, 0.8),),
        doc="arc cosine",
    )
)
register(
    ScalarOp(
        "atan",
        1,
        np.arctan,
        partials=_atan_partials,
        c="pa_atan_{f}({0})",
        kind="float",
        cost=25,
        like="exp",
        sample=((-2.0, 2.0),),
        doc="arc tangent",
    )
)
register(
    ScalarOp(
        "atan2",
        2,
        np.arctan2,
        partials=_atan2_partials,
        c="pa_atan2_{f}({0}, {1})",
        kind="float",
        cost=40,
        like="exp",
        sample=((-2.0, 2.0), (0.3, 2.0)),
        doc="the angle of the point of the plane with height x and abscissa y",
    )
)
