"""Hyperbolic functions and the logistic function."""

from __future__ import annotations

from typing import Any

import numpy as np

from polyad.ir.expr import Expr
from polyad.ops.registry import ScalarOp, apply, const, register

__all__: list[str] = []


def _sigmoid(x: Any) -> Any:
    """1 / (1 + e^-x) without overflow: e = e^-|x| is at most 1."""
    e = np.exp(-np.abs(x))
    return np.where(np.asarray(x) < 0, e, 1.0)[()] / (1.0 + e)


def _tanh_partials(args: tuple[Expr, ...], y: Expr) -> tuple[Expr | None, ...]:
    """1 - y^2."""
    return (apply("sub", const(1, y.dtype), apply("mul", y, y)),)


def _sigmoid_partials(args: tuple[Expr, ...], y: Expr) -> tuple[Expr | None, ...]:
    """y (1 - y)."""
    return (apply("mul", y, apply("sub", const(1, y.dtype), y)),)


register(
    ScalarOp(
        "sinh",
        1,
        np.sinh,
        partials=lambda args, y: (apply("cosh", args[0]),),
        c="pa_sinh_{f}({0})",
        kind="float",
        cost=25,
        like="exp",
        sample=((-2.0, 2.0),),
        doc="hyperbolic sine",
    )
)
register(
    ScalarOp(
        "cosh",
        1,
        np.cosh,
        partials=lambda args, y: (apply("sinh", args[0]),),
        c="pa_cosh_{f}({0})",
        kind="float",
        cost=25,
        like="exp",
        sample=((-2.0, 2.0),),
        doc="hyperbolic cosine",
    )
)
register(
    ScalarOp(
        "tanh",
        1,
        np.tanh,
        partials=_tanh_partials,
        c="pa_tanh_{f}({0})",
        kind="float",
        cost=20,
        like="exp",
        once=True,
        sample=((-2.0, 2.0),),
        doc="hyperbolic tangent",
    )
)
register(
    ScalarOp(
        "sigmoid",
        1,
        _sigmoid,
        partials=_sigmoid_partials,
        c="pa_sigmoid_{f}({0})",
        kind="float",
        cost=20,
        like="exp",
        once=True,
        sample=((-3.0, 3.0),),
        doc="logistic function 1 / (1 + e^-x)",
    )
)
