"""Random bits and uniform numbers: the others are made of these."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from polyad.errors import DTypeError
from polyad.frontend.constants import as_tensor
from polyad.frontend.operator_functions import maximum
from polyad.frontend.scalar import Applied, IndexExpr, Number, Scalar, is_number
from polyad.frontend.tensor import Tensor, as_shape, cast_tensor, define, user_line
from polyad.ir.element_types import element_type
from polyad.random.keys import counted, key_tensor
from polyad.random.threefry import hashed

__all__ = ["bits", "float_type", "uniform"]


def float_type(dtype: Any, what: str) -> str:
    """The name of an element type of floats.

    Raises:
        DTypeError: none.
    """
    name = element_type(dtype, what)
    if "float" not in name:
        raise DTypeError(f"{user_line()}: {what}: the numbers are floats, the element type cannot be {name}")
    return name


def bits(key: Any, shape: Any = (), dtype: Any = "uint32") -> Tensor:
    """Integers of 32 random bits each, those of `jax.random.bits`.

    Args:
        key: uint32[2], of `key`, `split` or `fold_in`.
        shape: extents.
        dtype: uint32.

    Raises:
        DTypeError, ShapeError: no key, or another element type.
    """
    if element_type(dtype, "bits") != "uint32":
        raise DTypeError(f"{user_line()}: bits: 32 random bits are a uint32; convert them with astype")
    extents = as_shape(shape)
    x0, x1 = hashed(key_tensor(key, "bits"), lambda i: counted(extents, i), extents)
    return define(extents, lambda *i: x0.element(i) ^ x1.element(i), "bits")


def _unit(key: Any, extents: Sequence[IndexExpr], dtype: str) -> Tensor:
    """Multiples of 2^-23 (of 2^-52 in float64) in [0, 1), each as likely as the others."""
    x0, x1 = hashed(key_tensor(key, "uniform"), lambda i: counted(extents, i), extents)

    def single(*i: IndexExpr) -> Scalar:
        whole = Applied("cast", ((x0.element(i) ^ x1.element(i)) >> 9,), "int32")  # vectors convert no uint32
        return Applied("mul", (Applied("cast", (whole,), "float32"), Number(2.0**-23)))

    def double(*i: IndexExpr) -> Scalar:
        upper, lower = (Applied("cast", (x,), "float64") for x in (x0.element(i), x1.element(i) >> 12))
        return Applied("add", (upper * 2.0**-32, lower * 2.0**-52))

    return define(extents, single if dtype == "float32" else double, "uniform")


def uniform(key: Any, shape: Any = (), dtype: Any = "float32", minval: Any = 0.0, maxval: Any = 1.0) -> Tensor:
    """Uniformly distributed numbers: minval <= u < maxval, those of `jax.random.uniform`.

    They are minval + (maxval - minval) u, with u a multiple of 2^-23 (2^-52 in float64), and differentiable by both.

    Args:
        key: uint32[2].
        shape: extents.
        dtype: float32 or float64.
        minval: a number, or a tensor that broadcasts to the shape.
        maxval: the same.

    Raises:
        DTypeError, ShapeError: no key, another element type, or bounds that do not broadcast.
    """
    kind = float_type(dtype, "uniform")
    unit = _unit(key, as_shape(shape), kind)
    if is_number(minval) and is_number(maxval):
        low, high = (np.dtype(kind).type(v) for v in (minval, maxval))
        if low == 0 and high == 1:
            return unit
        span, low = float(high - low), float(low)
    else:
        low, high = (_bound(v, kind, what) for v, what in ((minval, "minval"), (maxval, "maxval")))
        span = high - low
    result: Tensor = maximum(unit * span + low, low)
    return result


def _bound(value: Any, kind: str, what: str) -> Any:
    return cast_tensor(as_tensor(value, f"uniform: {what}"), kind)
