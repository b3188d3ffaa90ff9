"""The degree of an expression as a polynomial in elements of some arrays.

A loop that carries one number s by s = a * s + b, of degree 1, is a prefix scan.
"""

from __future__ import annotations

from collections.abc import Mapping

import islpy as isl

from polyad.ir.expr import Apply, Expr, Read, Select, reads

__all__ = ["NOT_LINEAR", "degree"]

NOT_LINEAR = 2
"""The degree of what is no polynomial, or one of a higher degree."""


def degree(expr: Expr, degrees: Mapping[str, int]) -> int:
    """The degree of an expression.

    Args:
        expr: the expression.
        degrees: array -> the degree of its elements; that of others is 0.
    """
    if not any(degrees.get(r.array, 0) for r in reads(expr)):
        return 0
    match expr:
        case Read(array, isl.MultiAff(), _):
            return degrees[array]
        case Apply("add" | "sub" | "neg", args, _):
            return max(degree(a, degrees) for a in args)
        case Apply("mul", (a, b), _):
            return min(NOT_LINEAR, degree(a, degrees) + degree(b, degrees))
        case Apply("div", (a, b), _) if degree(b, degrees) == 0:
            return degree(a, degrees)
        case Select(cond, a, b, _) if degree(cond, degrees) == 0:
            return max(degree(a, degrees), degree(b, degrees))
        case _:
            return NOT_LINEAR
