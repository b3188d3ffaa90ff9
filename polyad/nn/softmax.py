"""Softmax and its logarithm.

The maximum that is subtracted against overflow drops out of the result, so it is taken with derivative zero.
"""

from __future__ import annotations

import math
from typing import Any

from polyad.frontend.argument_checks import flag
from polyad.frontend.constants import as_tensor
from polyad.frontend.operator_functions import exp, log
from polyad.frontend.scalar import Applied, IndexExpr, Number, Scalar, Selected
from polyad.frontend.scalar_functions import select, stop_gradient
from polyad.frontend.tensor import Tensor, define
from polyad.numpy.dimensions import TensorLike, axis_numbers, extents
from polyad.numpy.permutation import squeeze
from polyad.numpy.reductions import max, sum

__all__ = ["log_softmax", "logsumexp", "softmax"]


def _shifted(x: Tensor, axis: Any) -> tuple[Tensor, Tensor]:
    """(x - m, m) with m the maximum over `axis`, as a constant."""
    top = stop_gradient(max(x, axis, keepdims=True))
    return x - top, top


def _chosen(x: TensorLike, where: Any) -> Tensor:
    """The elements that take part; minus infinity for the others."""
    return as_tensor(x, "x") if where is None else select(where, x, -math.inf)


def softmax(x: TensorLike, axis: Any = -1, where: Any = None) -> Tensor:
    """exp(x) / sum(exp(x)) over `axis`, or over its elements where `where` is true: the others are 0.

    Shapes: the result has the shape of `x`.

    Raises:
        ShapeError: no such dimension.
    """
    shifted, _ = _shifted(_chosen(x, where), axis)
    raised = exp(shifted)
    result: Tensor = raised / sum(raised, axis, keepdims=True)
    return result if where is None else select(where, result, 0.0)


def log_softmax(x: TensorLike, axis: Any = -1, where: Any = None) -> Tensor:
    """log(softmax(x)) = x - logsumexp(x), without under- or overflow; minus infinity where `where` is false.

    Raises:
        ShapeError: no such dimension.
    """
    shifted, _ = _shifted(_chosen(x, where), axis)
    result: Tensor = shifted - log(sum(exp(shifted), axis, keepdims=True))
    return result if where is None else select(where, result, -math.inf)


def logsumexp(x: TensorLike, axis: Any = None, keepdims: bool = False, where: Any = None, b: Any = None) -> Tensor:
    """log(sum(b * exp(x))) over `axis` (all dimensions for None), where `where` is true, without overflow.

    Where all of x is -inf the value is -inf, where one is inf it is inf; the derivative of an infinite value is 0.

    Raises:
        ShapeError: no such dimension.
    """
    t = _chosen(x, where)
    axes = axis_numbers(axis, t.ndim, "logsumexp")
    top = stop_gradient(max(t, axes, keepdims=True))
    shift = select(abs(top) == math.inf, 0.0, top)
    raised = exp(t - shift)
    total = sum(raised if b is None else raised * b, axes, keepdims=True)

    def body(*index: IndexExpr) -> Scalar:
        s = total.element(index)
        finite: Scalar = log(s) + shift.element(index)
        return Selected(Applied("eq", (s, Number(0))), Number(-math.inf), finite)

    result = define(extents(total), body, "logsumexp")
    return result if flag(keepdims, "logsumexp: keepdims") else squeeze(result, axes)
