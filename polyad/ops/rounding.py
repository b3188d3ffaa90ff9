"""Steps: sign floor ceil round trunc floordiv mod. Their derivative is zero wherever it exists."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

from polyad.ir.expr import Const, Expr
from polyad.ops.registry import apply, binary, const, unary

__all__: list[str] = []


def _fold_integer(args: tuple[Expr, ...]) -> Expr | None:
    """An integer rounds to itself."""
    return None if "float" in args[0].dtype else args[0]


def _fold_floordiv(args: tuple[Expr, ...]) -> Expr | None:
    a, b = args
    whole = "float" not in a.dtype
    return a if whole and isinstance(b, Const) and b.value == 1 else None


def _fold_mod(args: tuple[Expr, ...]) -> Expr | None:
    a, b = args
    whole = "float" not in a.dtype
    return const(0, a.dtype) if whole and isinstance(b, Const) and b.value == 1 else None


def _zero(x: Expr, y: Expr) -> None:
    return None


def _mod_partials(args: tuple[Expr, ...], y: Expr) -> tuple[Expr | None, ...]:
    """1 and -floor(x / y)."""
    return const(1, y.dtype), apply("neg", apply("floordiv", *args))


def _round(name: str, value: Callable[..., Any], doc: str) -> None:
    unary(name, value, _zero, (0.1, 0.4), kind="same", cost=1, fold=_fold_integer, doc=doc)


_round("floor", np.floor, "the largest integer not above x")
_round("ceil", np.ceil, "the least integer not below x")
_round("round", np.rint, "the nearest integer, halves to even")
_round("trunc", np.trunc, "x without its fraction")

unary("sign", np.sign, _zero, (0.1, 2.0), kind="same", cost=1, doc="-1, 0 or 1, the sign of x")
binary(
    "floordiv",
    np.floor_divide,
    lambda args, y: (None, None),
    ((2.1, 2.9), (0.99, 1.01)),
    kind="same",
    cost=10,
    like="division",
    fold=_fold_floordiv,
    written="x // y",
    doc="floor(x / y); 0 for integers when y is 0",
)
binary(
    "mod",
    np.mod,
    _mod_partials,
    ((2.1, 2.9), (0.99, 1.01)),
    kind="same",
    cost=10,
    like="division",
    fold=_fold_mod,
    written="x % y",
    doc="x - y floor(x / y), with the sign of y; 0 for integers when y is 0",
)
