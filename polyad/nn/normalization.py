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
from polyad.numpy.dimensions import TensorLike, axis_number, axis_numbers, count, extents, one_index, shape_text
from polyad.numpy.reductions import mean, sum
from polyad.numpy.reshape import reshape

__all__ = ["batch_norm", "group_norm", "instance_norm", "l2_normalize", "layer_norm", "lrn", "rms_norm"]


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
    *,
    momentum: Any = None,
) -> Any:
    """(x - mean) / sqrt(variance + eps) * gamma + beta, per channel.

    Args:
        x: (N, C, ...), channels in dimension `axis`.
        gamma: (C,), or None for 1.
        beta: (C,), or None for 0.
        moving_mean: (C,), the mean to use; None takes that of the batch, over all other dimensions.
        moving_var: (C,), the variance to use; given if and only if `moving_mean` is.
        axis: the dimension of the channels.
        eps: added to the variance.
        momentum: a step of training: the batch is normalised by its own statistics, and the moving ones are moved by
            this share towards them, the variance towards the unbiased one.

    Returns:
        The tensor; with `momentum` (tensor, (moving mean, moving variance)).

    Raises:
        DefinitionError: only one of `moving_mean` and `moving_var` is given, or `momentum` without them.
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
    others = tuple(n for n in range(t.ndim) if n != d)
    if momentum is not None:
        if moving_mean is None:
            raise DefinitionError("batch_norm: momentum= moves the statistics given as moving_mean= and moving_var=")
        y = layer_norm(t, scale, shift, others, eps)
        return y, _moved(t, others, moving_mean, moving_var, number(momentum, "batch_norm: momentum"))
    if moving_mean is None:
        return layer_norm(t, scale, shift, others, eps)
    centre, spread = channels(moving_mean, "moving_mean"), channels(moving_var, "moving_var")
    return _scaled("batch_norm", (t - centre) * rsqrt(spread + number(eps, "batch_norm: eps")), scale, shift)


def _moved(x: Tensor, axes: tuple[int, ...], centre: Any, spread: Any, share: Any) -> tuple[Tensor, Tensor]:
    """The moving statistics behind a batch."""
    centred: Tensor = x - mean(x, axes, keepdims=True)
    found = mean(x, axes), sum(centred * centred, axes) / (count([extents(x)[n] for n in axes]) - 1)
    old = (weight_tensor(v, f"batch_norm: {n}") for v, n in ((centre, "moving_mean"), (spread, "moving_var")))
    new_mean, new_var = (o + (f - o) * share for o, f in zip(old, found, strict=True))
    return new_mean, new_var


def group_norm(x: TensorLike, groups: int, gamma: Any = None, beta: Any = None, eps: float = 1e-5) -> Tensor:
    """(x - mean) / sqrt(variance + eps) * gamma + beta, mean and variance over the channels of a group and all pixels.

    Args:
        x: (N, C, ...), where C is a multiple of the groups.
        groups: how many groups of neighbouring channels there are.
        gamma: (C,), or None for 1.
        beta: (C,), or None for 0.
        eps: added to the variance.

    Raises:
        ShapeError: C is no multiple of the groups, or gamma or beta is no vector over the channels.

    Source: Wu and He, Group Normalization, 2018, eq. 1 and 7.
    """
    t = _with_channels("group_norm", x)
    batch, channels, *pixels = extents(t)
    many = integer(groups, "group_norm: groups")
    if many < 1 or not channels.affine.is_constant or channels.affine.constant % many:
        raise ShapeError(f"group_norm: {channels} channels of {t.name} are not {many} groups of the same size")
    size = channels.affine.constant // many
    parts = reshape(t, (batch, many, size, *pixels))
    normal = reshape(layer_norm(parts, axis=tuple(range(2, parts.ndim)), eps=eps), t.shape)
    return _scaled("group_norm", normal, *_per_channel("group_norm", t, gamma, beta))


def instance_norm(x: TensorLike, gamma: Any = None, beta: Any = None, eps: float = 1e-5) -> Tensor:
    """(x - mean) / sqrt(variance + eps) * gamma + beta, mean and variance over the pixels of one channel of one image.

    Shapes: x (N, C, ...), gamma and beta (C,).

    Raises:
        ShapeError: there are no pixels, or gamma or beta is no vector over the channels.

    Source: Ulyanov et al., Instance Normalization, 2016, eq. 2.
    """
    t = _with_channels("instance_norm", x)
    if t.ndim < 3:
        raise ShapeError(f"instance_norm: {t.name} {shape_text(extents(t))} must be (N, C, ...), with pixels")
    scale, shift = _per_channel("instance_norm", t, gamma, beta)
    return layer_norm(t, scale, shift, tuple(range(2, t.ndim)), eps)


def _with_channels(what: str, x: TensorLike) -> Tensor:
    t = as_tensor(x, "x")
    if t.ndim < 2:
        raise ShapeError(f"{what}: {t.name} {shape_text(extents(t))} must be (N, C, ...)")
    return t


def _per_channel(what: str, x: Tensor, *given: Any) -> list[Tensor | None]:
    """Vectors over the channels, gamma and beta, as what broadcasts with x."""
    found: list[Tensor | None] = []
    for value, name in zip(given, ("gamma", "beta"), strict=True):
        vector = None if value is None else weight_tensor(value, f"{what}: {name}")
        if vector is not None and vector.shape_affine != (x.shape_affine[1],):
            raise ShapeError(f"{what}: {name} {shape_text(extents(vector))} must have the shape ({extents(x)[1]},)")
        found.append(None if vector is None else along(vector, x.ndim, 1))
    return found


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

    Equation: y[c] = x[c] / (bias + alpha / size * sum)**beta, the sum of x[c']**2 over the channels
    c - size // 2 <= c' <= c + (size - 1) // 2.

    Args:
        x: tensor.
        size: number of channels in a neighbourhood, a constant.
        alpha: scale.
        beta: exponent.
        bias: offset.
        axis: the dimension of the channels.

    Raises:
        DefinitionError: `size` is below 1.

    Source: Krizhevsky et al., ImageNet Classification with Deep Convolutional Neural Networks, 2012, section 3.3.
    """
    t = as_tensor(x, "x")
    d = axis_number(axis, t.ndim, "lrn")
    for name, value in (("alpha", alpha), ("beta", beta), ("bias", bias)):
        number(value, f"lrn: {name}")
    if integer(size, "lrn: size") < 1:
        raise DefinitionError(f"lrn: size must be at least 1, not {size}")
    shape = extents(t)
    k = reduce_axis(size, "k")

    def energy(*index: IndexExpr) -> Scalar:
        channel = index[d] + k - size // 2
        inside = Applied("and", (Applied("ge", (channel, one_index(0))), Applied("lt", (channel, shape[d]))))
        value = t.element([*index[:d], channel, *index[d + 1 :]])
        return Reduced("sum", (k.axes[0],), Selected(inside, Applied("mul", (value, value)), Number(0)))

    result: Tensor = t * (define(shape, energy, "energy") * (alpha / size) + bias) ** (-beta)
    return result
