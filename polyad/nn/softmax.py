"""Softmax and its logarithm.

The maximum that is subtracted against overflow drops out of the result, so it is taken with derivative zero.
"""

from __future__ import annotations

from typing import Any

from polyad.frontend.constants import as_tensor
from polyad.frontend.scalar_functions import stop_gradient
from polyad.frontend.tensor import Tensor
from polyad.numpy.dimensions import TensorLike, axis_numbers
from polyad.numpy.elementwise import exp, log
from polyad.numpy.permutation import squeeze
from polyad.numpy.reductions import max, sum

__all__ = ["log_softmax", "logsumexp", "softmax"]


def _shifted(x: Tensor, axis: Any) -> tuple[Tensor, Tensor]:
    """(x - m, m) with m the maximum over `axis`, as a constant."""
    top = stop_gradient(max(x, axis, keepdims=True))
    return x - top, top


def softmax(x: TensorLike, axis: Any = -1) -> Tensor:
    """exp(x) / sum(exp(x)) over `axis`.

    Shapes: the result has the shape of `x`.

    Raises:
        ShapeError: no such dimension.
    """
    shifted, _ = _shifted(as_tensor(x, "x"), axis)
    raised = exp(shifted)
    result: Tensor = raised / sum(raised, axis, keepdims=True)
    return result


def log_softmax(x: TensorLike, axis: Any = -1) -> Tensor:
    """log(softmax(x)) = x - logsumexp(x), without under- or overflow.

    Raises:
        ShapeError: no such dimension.
    """
    shifted, _ = _shifted(as_tensor(x, "x"), axis)
    result: Tensor = shifted - log(sum(exp(shifted), axis, keepdims=True))
    return result


def logsumexp(x: TensorLike, axis: Any = None, keepdims: bool = False) -> Tensor:
    """log(sum(exp(x))) over `axis` (all dimensions for None), without overflow.

    Raises:
        ShapeError: no such dimension.
    """
    t = as_tensor(x, "x")
    axes = axis_numbers(axis, t.ndim, "logsumexp")
    shifted, top = _shifted(t, axes)
    result: Tensor = top + log(sum(exp(shifted), axes, keepdims=True))
    return result if keepdims else squeeze(result, axes)
