"""Operators that keep the value: conversions between element types, and the end of a derivative."""

from __future__ import annotations

from typing import Any

from polyad.ops.registry import ScalarOp, const, register

__all__: list[str] = []


def _identity(x: Any) -> Any:
    return x


# The value of a conversion depends on the target type, which is the dtype of the application: see `semantics.evaluate`.
register(
    ScalarOp(
        "cast",
        1,
        _identity,
        partials=lambda args, y: (None,) if "int" in args[0].dtype + y.dtype else (const(1, y.dtype),),
        c="({t}){0}",
        kind="cast",
        cost=1,
        sample=((-2.0, 2.0),),
        written='pa.cast(x, "float32")',
        doc="x as another element type, cast_float32(x) in programs; towards zero for integers",
    )
)
register(
    ScalarOp(
        "stop_gradient",
        1,
        _identity,
        partials=lambda args, y: (None,),
        c="{0}",
        kind="same",
        cost=0,
        sample=((-2.0, 2.0),),
        written="pa.stop_gradient(x)",
        doc="x, held constant by every derivative",
    )
)
