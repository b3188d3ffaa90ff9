"""Operators that keep the value: conversions between element types, and the end of a derivative."""

from __future__ import annotations

from typing import Any

from polyad.ir.element_types import computed
from polyad.ir.expr import Expr
from polyad.ops.registry import const, unary

__all__: list[str] = []


def _identity(x: Any) -> Any:
    return x


def _cast_slope(x: Expr, y: Expr) -> Expr | None:
    return None if "int" in x.dtype + y.dtype else const(1, computed(y.dtype))


# The value of a conversion depends on the target type, which is the dtype of the application: see `semantics.evaluate`.
unary(
    "cast",
    _identity,
    _cast_slope,
    (-2.0, 2.0),
    c="({t}){0}",
    kind="cast",
    cost=1,
    written='pa.cast(x, "float32")',
    doc="x as another element type, cast_float32(x) in programs; towards zero for integers",
)
unary(
    "stop_gradient",
    _identity,
    lambda x, y: None,
    (-2.0, 2.0),
    c="{0}",
    kind="same",
    cost=0,
    written="pa.stop_gradient(x)",
    doc="x, held constant by every derivative",
)
