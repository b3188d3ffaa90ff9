"""Arithmetic: add sub mul masked_mul div neg abs pow, and what folds in them.

Folding treats a written 0 as absence: 0 * x is 0 even where x turns out to be inf or nan. That is the elimination of
terms that are not there, as derivatives of sums and products make them by the dozen; an x that happens to be 0 at
run time multiplies as IEEE 754 says. The sign of a zero result is not kept (x + 0 is x, 0 - x is -x).
"""

from __future__ import annotations

import math
from typing import Any

import numpy as np

from polyad.ir.expr import Apply, Const, Expr
from polyad.ops.registry import OPS, apply, binary, const, is_number, select, unary

__all__: list[str] = []

_ANY = (-2.0, 2.0)
_ANY_TWO = (_ANY, _ANY)


def _fold_add(args: tuple[Expr, ...]) -> Expr | None:
    a, b = args
    match b:
        case _ if is_number(a, 0):
            return b
        case _ if is_number(b, 0):
            return a
        case Apply("neg", (inner,), _):
            return apply("sub", a, inner)
    return None


def _fold_sub(args: tuple[Expr, ...]) -> Expr | None:
    a, b = args
    match b:
        case _ if is_number(b, 0):
            return a
        case _ if is_number(a, 0):
            return apply("neg", b)
        case Apply("neg", (inner,), _):
            return apply("add", a, inner)
    return None


def _fold_mul(args: tuple[Expr, ...]) -> Expr | None:
    for one, other in (args, args[::-1]):
        if is_number(one, 1):
            return other
        if is_number(one, 0):
            return one
        if is_number(one, -1):
            return apply("neg", other)
    return None


def _fold_masked_mul(args: tuple[Expr, ...]) -> Expr | None:
    x, y = args
    if isinstance(y, Const):
        return y if y.value == 0 else apply("mul", x, y)
    return apply("mul", x, y) if isinstance(x, Const) and math.isfinite(x.value) else None


def _masked_mul_value(x: Any, y: Any) -> Any:
    return np.where(np.equal(y, 0), np.zeros_like(y), np.multiply(x, y))[()]


def _masked_mul_partials(args: tuple[Expr, ...], y: Expr) -> tuple[Expr | None, ...]:
    """By x: 1 * mask, so that what x is made of is multiplied under the same test; not folded to y."""
    return Apply("masked_mul", (const(1, y.dtype), args[1]), y.dtype), args[0]


def _fold_div(args: tuple[Expr, ...]) -> Expr | None:
    a, b = args
    if is_number(b, 1) or (is_number(a, 0) and not isinstance(b, Const)):
        return a
    return apply("neg", a) if is_number(b, -1) else None


def _fold_neg(args: tuple[Expr, ...]) -> Expr | None:
    match args[0]:
        case Apply("neg", (inner,), _):
            return inner
        case Apply("sub", (a, b), _):
            return apply("sub", b, a)
    return None


def _fold_pow(args: tuple[Expr, ...]) -> Expr | None:
    x, y = args
    if not isinstance(y, Const):
        return None
    if y.value == 0:
        return const(1, x.dtype)
    if y.value == 1:
        return x
    if y.value == 2:
        return apply("mul", x, x)
    if "float" in x.dtype:
        if y.value == 0.5:
            return apply("sqrt", x)
        if y.value == -0.5:
            return apply("rsqrt", x)
        if y.value == -1:
            return apply("div", const(1, x.dtype), x)
    return None


def _div_partials(args: tuple[Expr, ...], y: Expr) -> tuple[Expr | None, ...]:
    """1 / b and -y / b."""
    return apply("div", const(1, y.dtype), args[1]), apply("neg", apply("div", y, args[1]))


def _abs_slope(x: Expr, y: Expr) -> Expr:
    """sign(x), with the 0 at x = 0 chosen by a condition, not multiplied: it stays 0 next to inf."""
    return select(apply("eq", x, const(0, x.dtype)), const(0, x.dtype), apply("sign", x))


def _cheap_pow(args: tuple[Expr, ...]) -> int | None:
    """Products and a root for halves of whole numbers, which the runtime header knows (pa_pow_f32)."""
    x, y = args
    if "float" not in x.dtype or not isinstance(y, Const) or not abs(y.value) <= 8 or y.value * 2 != int(y.value * 2):
        return None
    halves = int(abs(y.value) * 2)
    products = (halves >> 1).bit_count() + max(halves.bit_length() - 2, 0)
    return products + OPS["sqrt"].cost * (halves & 1) + OPS["div"].cost * (y.value < 0)


def _pow_value(x: Any, y: Any) -> Any:
    if np.asarray(y).dtype.kind in "iu":
        # A negative integer power of an integer is the empty product, as in the C runtime; NumPy raises.
        return np.power(x, np.maximum(y, 0))
    return np.power(x, y)


def _pow_partials(args: tuple[Expr, ...], y: Expr) -> tuple[Expr | None, ...]:
    """d(x^p)/dx = p x^(p-1), also at x = 0; d(x^p)/dp = x^p log x for x > 0 and 0 elsewhere."""
    x, p = args
    one, zero = const(1, y.dtype), const(0, y.dtype)
    slope = apply("mul", p, apply("pow", x, apply("sub", p, one)))
    if isinstance(p, Const):
        return slope, None
    # x^0 is 1 for every x: without the test, p = 0 at x = 0 would be 0 * inf. Elsewhere the slope depends on p.
    dx = select(apply("and", apply("eq", p, zero), apply("eq", x, zero)), zero, slope)
    dp = select(apply("gt", x, zero), apply("mul", y, apply("log", x)), zero)
    return dx, dp


binary(
    "add",
    np.add,
    lambda args, y: (const(1, y.dtype), const(1, y.dtype)),
    _ANY_TWO,
    c="{0} + {1}",
    kind="same",
    cost=1,
    fold=_fold_add,
    written="x + y",
    doc="x + y",
)
binary(
    "sub",
    np.subtract,
    lambda args, y: (const(1, y.dtype), const(-1, y.dtype)),
    _ANY_TWO,
    c="{0} - {1}",
    kind="same",
    cost=1,
    fold=_fold_sub,
    written="x - y",
    doc="x - y",
)
binary(
    "mul",
    np.multiply,
    lambda args, y: (args[1], args[0]),
    _ANY_TWO,
    c="{0} * {1}",
    kind="same",
    cost=1,
    fold=_fold_mul,
    written="x * y",
    doc="x * y",
)
binary(
    "masked_mul",
    _masked_mul_value,
    _masked_mul_partials,
    (_ANY, (0.5, 2.0)),
    cost=1,
    fold=_fold_masked_mul,
    written="",
    doc="x * y, and 0 where y is 0 even if x is inf or nan: y is a derivative that a condition may cut off",
)
binary(
    "div",
    np.true_divide,
    _div_partials,
    (_ANY, (0.5, 2.0)),
    c="{0} / {1}",
    cost=4,
    like="division",
    fold=_fold_div,
    written="x / y",
    doc="x / y, true division",
)
unary(
    "neg",
    np.negative,
    lambda x, y: const(-1, y.dtype),
    _ANY,
    c="-{0}",
    kind="same",
    cost=1,
    fold=_fold_neg,
    written="-x",
    doc="-x",
)
unary("abs", np.abs, _abs_slope, (0.1, 2.0), kind="same", cost=1, doc="|x|; its derivative at 0 is 0")
binary(
    "pow",
    _pow_value,
    _pow_partials,
    ((0.3, 2.0), _ANY),
    kind="same",
    cost=40,
    like="exp",
    fold=_fold_pow,
    cheap=_cheap_pow,
    doc="x to the power y; the derivative in y is 0 where x <= 0",
)
