"""Patches of images as columns and back, and pixels as channels and back."""

from __future__ import annotations

from functools import reduce
from operator import mul
from typing import Any

from polyad.errors import ShapeError
from polyad.frontend.argument_checks import integer
from polyad.frontend.scalar import Applied, IndexExpr, Number, Reduced, Scalar, Selected, as_index
from polyad.frontend.tensor import Tensor, define
from polyad.nn.layouts import image
from polyad.nn.windows import all_hold, meeting, per_dimension, window, windows
from polyad.numpy.dimensions import TensorLike, extents, one_index, shape_text
from polyad.numpy.permutation import transpose
from polyad.numpy.reshape import reshape

__all__ = ["fold", "pixel_shuffle", "pixel_unshuffle", "unfold"]


def unfold(x: TensorLike, size: Any, dilation: Any = 1, padding: Any = 0, stride: Any = 1) -> Tensor:
    """The windows of a convolution as columns (im2col).

    Equation: y[n, (c * K + k) * L + l, i * W' + j] = x[n, c, i * stride + k * dilation - padding, ...], zero outside of
    the image, for windows of K x L elements.

    Shapes: x (N, C, H, W) with constant H and W, result (N, C * K * L, H' * W'), H' and W' as for `conv2d`. N may be
    missing.

    Args:
        x: images.
        size: window, one number or (vertical, horizontal).
        dilation: from tap to tap.
        padding: zeros around, as for `conv2d`.
        stride: from window to window.

    Raises:
        ShapeError: not an image, or the window does not fit.
    """
    t, layout = image("unfold", x, 2, None)
    batch, channels, pixels = layout.split(extents(t))
    taps = window(size, 2, "unfold")
    each = windows("unfold", pixels, taps, stride, padding, dilation)

    def body(*index: IndexExpr) -> Scalar:
        *n, c, k, l, i, j = index
        given = list(zip(each, (i, j), (k, l), strict=True))
        value = t.element([*n, c, *(w.position(o, tap) for w, o, tap in given)])
        inside = all_hold([condition for w, o, tap in given for condition in w.inside(o, tap)])
        return value if inside is None else Selected(inside, value, Applied("cast", (Number(0),), t.dtype))

    rows, columns = (w.outputs for w in each)
    patches = define([*batch, channels, *taps, rows, columns], body, "unfold")
    return reshape(patches, (*batch, _product(channels, *taps), _product(rows, columns)))


def fold(x: TensorLike, output_size: Any, size: Any, dilation: Any = 1, padding: Any = 0, stride: Any = 1) -> Tensor:
    """The sum of columns at the places from which `unfold` takes them: its transpose.

    Shapes: x (N, C * K * L, H' * W'), result (N, C, H, W) with (H, W) = output_size. N may be missing.

    Args:
        x: columns.
        output_size: height and width of the images.
        size: window, one number or (vertical, horizontal).
        dilation: from tap to tap.
        padding: zeros around, one number or (vertical, horizontal).
        stride: from window to window.

    Raises:
        ShapeError: the columns are not those of such images.
    """
    t, layout = image("fold", x, 1, None)
    batch, rows, columns = layout.split(extents(t))
    pixels = [as_index(e, "an extent") for e in per_dimension(output_size, 2, "fold: output_size", 1)]
    taps = window(size, 2, "fold")
    each = windows("fold", pixels, taps, stride, padding, dilation)
    many = _product(*taps).affine.constant
    outputs = [w.outputs for w in each]
    if not rows.affine.is_constant or rows.affine.constant % many or columns[0].affine != _product(*outputs).affine:
        raise ShapeError(
            f"fold: columns {shape_text(extents(t))} are not those of windows of {many} elements at {outputs[0]} x "
            f"{outputs[1]} places"
        )
    channels = rows.affine.constant // many
    patches = reshape(t, (*batch, channels, *taps, *outputs))

    def body(*index: IndexExpr) -> Scalar:
        *n, c, i, j = index
        given = zip(each, (i, j), "kl", strict=True)
        met = [meeting(at, w.outputs, w.taps, w.stride, w.dilation, w.before, name) for w, at, name in given]
        inside = all_hold([condition for m in met for condition in m.conditions])
        assert inside is not None
        patch = patches.element([*n, c, *(m.tap for m in met), *(m.position for m in met)])
        value = Selected(inside, patch, Number(0))
        axes = tuple(a.axes[0] for m in met for a in m.axes)
        return Reduced("sum", axes, value) if axes else value

    return define([*batch, one_index(channels), *pixels], body, "fold")


def pixel_shuffle(x: TensorLike, upscale_factor: int) -> Tensor:
    """Channels become pixels: y[n, c, h * r + a, w * r + b] = x[n, (c * r + a) * r + b, h, w].

    Shapes: x (..., C * r * r, H, W), result (..., C, H * r, W * r), for r = upscale_factor.

    Raises:
        ShapeError: the channels are no multiple of r * r.

    Source: Shi et al., Real-Time Single Image and Video Super-Resolution, 2016, eq. 4.
    """
    t, layout = image("pixel_shuffle", x, 2, None)
    batch, channels, (height, width) = layout.split(extents(t))
    r = integer(upscale_factor, "pixel_shuffle: upscale_factor")
    if r < 1 or not channels.affine.is_constant or channels.affine.constant % (r * r):
        raise ShapeError(f"pixel_shuffle: {channels} channels are no multiple of {r} * {r}")
    fewer = channels.affine.constant // (r * r)
    parts = reshape(t, (*batch, fewer, r, r, height, width))
    b = len(batch)
    order = (*range(b), b, b + 3, b + 1, b + 4, b + 2)
    return reshape(transpose(parts, order), (*batch, fewer, height * r, width * r))


def pixel_unshuffle(x: TensorLike, downscale_factor: int) -> Tensor:
    """Pixels become channels, the inverse of `pixel_shuffle`.

    Shapes: x (..., C, H * r, W * r), result (..., C * r * r, H, W), for r = downscale_factor.

    Raises:
        ShapeError: height or width are no multiple of r.
    """
    t, layout = image("pixel_unshuffle", x, 2, None)
    batch, channels, pixels = layout.split(extents(t))
    r = integer(downscale_factor, "pixel_unshuffle: downscale_factor")
    if r < 1 or not all(e.affine.is_constant and e.affine.constant % r == 0 for e in pixels):
        raise ShapeError(f"pixel_unshuffle: {shape_text(pixels)} pixels are no multiple of {r}, or not constant")
    height, width = (e.affine.constant // r for e in pixels)
    parts = reshape(t, (*batch, channels, height, r, width, r))
    b = len(batch)
    order = (*range(b), b, b + 2, b + 4, b + 1, b + 3)
    return reshape(transpose(parts, order), (*batch, channels * (r * r), height, width))


def _product(*factors: IndexExpr) -> Any:
    """A product of extents, of which at most one is symbolic."""
    return reduce(mul, factors)
