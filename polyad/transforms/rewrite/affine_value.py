"""Quasi-affine values: scalar expressions that are such functions of instance and sizes."""

from __future__ import annotations

import math

import islpy as isl

from polyad.ir.expr import Apply, Const, Expr, Index

__all__ = ["affine_value"]

# An index converted to one of these is exact (below 2**53); float32 would round sizes above 2**24.
_EXACT = ("int32", "int64", "float64")

# Thresholds such as i < 0.5 have small denominators; isl's integers need not carry the tail of 0.1.
_LARGEST_DENOMINATOR = 1 << 20

# Larger constants (-1e30 for the logarithm of 0, say) are compared at run time: sets that hold them would ask for
# integers that C and islpy have not.
_LARGEST_NUMBER = 1 << 62


def affine_value(expr: Expr, space: isl.Space) -> isl.Aff | None:
    """The value as an isl function { S[i] -> [value] }, or None where it is not quasi-affine.

    Args:
        expr: any expression over the instances.
        space: { S[i] }.
    """
    match expr:
        case Const(value, dtype) if dtype in _EXACT and math.isfinite(value):
            numerator, denominator = float(value).as_integer_ratio() if dtype == "float64" else (int(value), 1)
            if denominator > _LARGEST_DENOMINATOR or abs(numerator) > _LARGEST_NUMBER:
                return None
            return isl.Aff.val_on_domain_space(space, isl.Val(numerator).div(isl.Val(denominator)))
        case Index(value):
            return value
        case Apply("cast", (inner,), dtype) if dtype in _EXACT and inner.dtype in ("int32", "int64"):
            return affine_value(inner, space)
        case Apply("add" | "sub" | "mul" | "neg" | "floordiv" | "mod" as op, args, dtype) if dtype in _EXACT:
            values = []
            for arg in args:
                if (found := affine_value(arg, space)) is None:
                    return None
                values.append(found)
            return _combine(op, values)
        case _:
            return None


def _combine(op: str, values: list[isl.Aff]) -> isl.Aff | None:
    """One operator on affine values."""
    if op == "mul" and any(v.is_cst() and v.get_constant_val().abs().gt(isl.Val(_LARGEST_NUMBER)) for v in values):
        return None
    match op, values:
        case "add", [a, b]:
            return a.add(b)
        case "sub", [a, b]:
            return a.sub(b)
        case "neg", [a]:
            return a.neg()
        case "mul", [a, b] if b.is_cst():
            return a.scale_val(b.get_constant_val())
        case "mul", [a, b] if a.is_cst():
            return b.scale_val(a.get_constant_val())
        case "floordiv" | "mod", [a, b] if b.is_cst() and b.get_constant_val().is_pos():
            divisor = b.get_constant_val()
            quotient = a.scale_down_val(divisor).floor()
            return quotient if op == "floordiv" else a.sub(quotient.scale_val(divisor))
        case _:
            return None
