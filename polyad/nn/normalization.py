"""Normalization layers."""

from __future__ import annotations

from typing import Any

from polyad.errors import DefinitionError, ShapeError
from polyad.frontend.argument_checks import integer, number, weight_tensor
from polyad.frontend.compute import reduce_axis
from polyad.frontend.constants import as_tensor
from polyad.frontend.operator_functions import maximum, rsqrt
from polyad.frontend.scalar import Applied, IndexExpr, Number, Reduced, Scalar, Selected
from polyad.frontend.tensor import Tensor, define
from polyad.nn.activations import along
from polyad.numpy.dimensions import TensorLike, axis_number, axis_numbers, extents, one_index, shape_text
from polyad.numpy.reductions import mean, sum

__all__ = ["batch_norm", "l2_normalize", "layer_norm", "lrn", "rms_norm"]


def layer_norm(x: TensorLike, gamma: Any = None, beta: Any = None, axis: Any = -1, eps: float = 1e-5) -> Tensor:
    """(x - mean) / sqrt(variance + eps) * gamma + beta, mean and variance over `axis`.

    Shapes: gamma and beta broadcast with `x` (for the last dimension: vectors).

    Source: Ba et al., Layer Normalization, 2016, eq. 3.
    """
    t = as_tensor(x, "x")
    number(eps, "layer_norm: eps")
    centred: Tensor = t - mean(t, axis, keepdims=True)
    return _scaled("layer_norm", centred * rsqrt(mean(centred * centred, axis, keepdims=True) + eps), gamma, beta)


def rms_norm(x: TensorLike, gamma: Any = None, axis: Any = -1, eps: float = 1e-6) -> Tensor:
    """X / sqrt(mean(x**2) + eps) * gamma, the mean over `axis`.

    Source: Zhang and Sennrich, Root Mean Square Layer Normalization, 2019, eq. 4.
    """
    t = as_tensor(x, "x")
    variance = mean(t * t, axis, keepdims=True)
    return _scaled("rms_norm", t * rsqrt(variance + number(eps, "rms_norm: eps")), gamma, None)


def batch_norm(
    x: TensorLike,
    gamma: Any = None,
    beta: Any = None,
    moving_mean: Any = None,
    moving_var: Any = None,
    axis: int = 1,
    eps: float = 1e-5,
) -> Tensor:
    """(x - mean) / sqrt(variance + eps) * gamma + beta, per channel.

    Args:
        x: (N, C, ...), channels in dimension `axis`.
        gamma: (C,), or None for 1.
        beta: (C,), or None for 0.
        moving_mean: (C,), the mean to use; None takes that of the batch, over all other dimensions.
        moving_var: (C,), the variance to use; given if and only if `moving_mean` is.
        axis: the dimension of the channels.
        eps: added to the variance.

    Raises:
        DefinitionError: only one of `moving_mean` and `moving_var` is given.
        ShapeError: one of them, gamma or beta is no vector.

    Source: Ioffe and Szegedy, Batch Normalization, 2015, algorithm 1.
    """
    t = as_tensor(x, "x")
    d = axis_number(axis, t.ndim, "batch_norm")
    if (moving_mean is None) != (moving_var is None):
        raise DefinitionError("batch_norm takes moving_mean= and moving_var= together, or neither")

    def channels(value: Any, name: str) -> Tensor:
        given = weight_tensor(value, f"batch_norm: {name}")
        if given.ndim != 1:
            raise ShapeError(f"batch_norm: {name} {shape_text(extents(given))} must be a vector over the channels")
        vector: Tensor = along(given, t.ndim, d)
        return vector

    scale = None if gamma is None else channels(gamma, "gamma")
    shift = None if beta is None else channels(beta, "beta")
    if moving_mean is None:
        others = tuple(n for n in range(t.ndim) if n != d)
        return layer_norm(t, scale, shift, others, eps)
    centre, spread = channels(moving_mean, "moving_mean"), channels(moving_var, "moving_var")
    return _scaled("batch_norm", (t - centre) * rsqrt(spread + number(eps, "batch_norm: eps")), scale, shift)


def _scaled(what: str, x: Tensor, gamma: Any, beta: Any) -> Tensor:
    if gamma is not None:
        x = x * weight_tensor(gamma, f"{what}: gamma")
    return x if beta is None else x + weight_tensor(beta, f"{what}: beta")


def l2_normalize(x: TensorLike, axis: Any = None, eps: float = 1e-12) -> Tensor:
    """X / sqrt(max(sum(x**2), eps)), the sum over `axis` (all dimensions for None)."""
    t = as_tensor(x, "x")
    axes = axis_numbers(axis, t.ndim, "l2_normalize")
    result: Tensor = t * rsqrt(maximum(sum(t * t, axes, keepdims=True), number(eps, "l2_normalize: eps")))
    return result


def lrn(
    x: TensorLike, size: int = 5, alpha: float = 1e-4, beta: float = 0.75, bias: float = 1.0, axis: int = 1
) -> Tensor:
    """Local response normalization over neighbouring channels.

    Equation: y[c] = x[c] / (bias + alpha / size * sum of x[c']**2 over |c' - c| <= size // 2)**beta.

    Args:
        x: tensor.
        size: number of channels in a neighbourhood, an odd constant.
        alpha: scale.
        beta: exponent.
        bias: offset.
        axis: the dimension of the channels.

    Raises:
        DefinitionError: `size` is not odd.

    Source: Krizhevsky et al., ImageNet Classification with Deep Convolutional Neural Networks, 2012, section 3.3.
    """
    t = as_tensor(x, "x")
    d = axis_number(axis, t.ndim, "lrn")
    for name, value in (("alpha", alpha), ("beta", beta), ("bias", bias)):
        number(value, f"lrn: {name}")
    if integer(size, "lrn: size") < 1 or size % 2 == 0:
        raise DefinitionError(f"lrn: size must be odd, so that a neighbourhood has a middle, not {size}")
    shape = extents(t)
    k = reduce_axis(size, "k")

    def energy(*index: IndexExpr) -> Scalar:
        channel = index[d] + k - size // 2
        inside = Applied("and", (Applied("ge", (channel, one_index(0))), Applied("lt", (channel, shape[d]))))
        value = t.element([*index[:d], channel, *index[d + 1 :]])
        return Reduced("sum", (k.axes[0],), Selected(inside, Applied("mul", (value, value)), Number(0)))

    result: Tensor = t * (define(shape, energy, "energy") * (alpha / size) + bias) ** (-beta)
    return result
