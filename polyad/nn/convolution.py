"""Convolutions over any number of dimensions, and their transposes."""

from __future__ import annotations

from typing import Any

from polyad.errors import ShapeError
from polyad.frontend.argument_checks import integer, weight_tensor
from polyad.frontend.compute import reduce_axis
from polyad.frontend.constants import as_tensor
from polyad.frontend.scalar import Applied, IndexExpr, Number, Reduced, Scalar, Selected
from polyad.frontend.tensor import Tensor, define
from polyad.nn.activations import along
from polyad.nn.layouts import Layout, image
from polyad.nn.windows import all_hold, meeting, per_dimension, windows
from polyad.numpy.dimensions import TensorLike, extents, shape_text

__all__ = [
    "conv1d",
    "conv1d_transpose",
    "conv2d",
    "conv2d_transpose",
    "conv3d",
    "conv3d_transpose",
]

_PIXELS = {1: "i", 2: "ij", 3: "ijm"}
_TAPS = {1: "k", 2: "kl", 3: "klq"}


def conv2d(
    x: TensorLike,
    weight: TensorLike,
    bias: TensorLike | None = None,
    stride: Any = 1,
    padding: Any = 0,
    dilation: Any = 1,
    groups: int = 1,
    data_format: str | None = None,
) -> Tensor:
    """A convolution (cross-correlation, as everywhere in this field).

    Equation: y[n, o, i, j] = sum_{c, k, l} x[n, c, i * stride + k * dilation - padding, ...] * weight[o, c, k, l] +
    bias[o], x being zero outside of the image; c runs over the channels of o's group.

    Shapes: x (N, C, H, W), weight (O, C / groups, K, L), bias (O,); result (N, O, H', W') with
    H' = floor((H + padding - dilation * (K - 1) - 1) / stride) + 1. N may be missing. Extents may be symbolic, but
    channels in groups are constant.

    Args:
        x: images.
        weight: filters.
        bias: per output channel, or None.
        stride: one number, or (vertical, horizontal).
        padding: one number, (vertical, horizontal), or ((top, bottom), (left, right)); or "valid", none, or "same",
            which gives ceil(H / stride) rows, an odd one being added at the bottom.
        dilation: one number, or (vertical, horizontal).
        groups: channels are convolved in this many separate groups.
        data_format: "NCHW" (also None), or "NHWC" for x (N, H, W, C) and a result of that order; weights stay as above.

    Raises:
        ShapeError: the shapes do not fit, or the window is larger than the padded image.
        DefinitionError: an unknown format or kind of padding.
    """
    return _convolution("conv2d", 2, x, weight, bias, stride, padding, dilation, groups, data_format)


def conv1d(
    x: TensorLike,
    weight: TensorLike,
    bias: TensorLike | None = None,
    stride: Any = 1,
    padding: Any = 0,
    dilation: Any = 1,
    groups: int = 1,
    data_format: str | None = None,
) -> Tensor:
    """`conv2d` with one dimension of pixels: x (N, C, W) or, with data_format="NWC", (N, W, C); weight (O, C, K).

    Raises:
        ShapeError: the shapes do not fit, or the window is larger than the padded image.
        DefinitionError: an unknown format or kind of padding.
    """
    return _convolution("conv1d", 1, x, weight, bias, stride, padding, dilation, groups, data_format)


def conv3d(
    x: TensorLike,
    weight: TensorLike,
    bias: TensorLike | None = None,
    stride: Any = 1,
    padding: Any = 0,
    dilation: Any = 1,
    groups: int = 1,
    data_format: str | None = None,
) -> Tensor:
    """`conv2d` with three dimensions of pixels: x (N, C, D, H, W) or "NDHWC"; weight (O, C, K, L, M).

    Raises:
        ShapeError: the shapes do not fit, or the window is larger than the padded image.
        DefinitionError: an unknown format or kind of padding.
    """
    return _convolution("conv3d", 3, x, weight, bias, stride, padding, dilation, groups, data_format)


def conv2d_transpose(
    x: TensorLike,
    weight: TensorLike,
    bias: TensorLike | None = None,
    stride: Any = 1,
    padding: Any = 0,
    output_padding: Any = 0,
    dilation: Any = 1,
    groups: int = 1,
    data_format: str | None = None,
) -> Tensor:
    """The transpose of a convolution: each input element spreads a scaled filter over the output.

    Equation: y[n, o, i, j] = sum_{c, k, l} x[n, c, p, q] * weight[c, o, k, l] + bias[o] over the input positions with
    p * stride + k * dilation - padding = i, and q likewise for j; c runs over the channels of o's group.

    Shapes: x (N, C, H, W), weight (C, O / groups, K, L), bias (O,); result (N, O, H', W') with
    H' = (H - 1) * stride - 2 * padding + dilation * (K - 1) + output_padding + 1. N may be missing.

    Args:
        x: images.
        weight: filters, in the layout of the convolution that this transposes.
        bias: per output channel, or None.
        stride: one number, or (vertical, horizontal).
        padding: what is cut off at each side, one number or (vertical, horizontal).
        output_padding: rows and columns added at the bottom and the right.
        dilation: one number, or (vertical, horizontal).
        groups: channels are convolved in this many separate groups.
        data_format: "NCHW" (also None) or "NHWC", as for `conv2d`.

    Raises:
        ShapeError: the shapes do not fit.
        DefinitionError: an unknown format.
    """
    given = (stride, padding, output_padding, dilation, groups, data_format)
    return _transposed("conv2d_transpose", 2, x, weight, bias, *given)


def conv1d_transpose(
    x: TensorLike,
    weight: TensorLike,
    bias: TensorLike | None = None,
    stride: Any = 1,
    padding: Any = 0,
    output_padding: Any = 0,
    dilation: Any = 1,
    groups: int = 1,
    data_format: str | None = None,
) -> Tensor:
    """`conv2d_transpose` with one dimension of pixels: x (N, C, W) or "NWC", weight (C, O / groups, K).

    Raises:
        ShapeError: the shapes do not fit.
        DefinitionError: an unknown format.
    """
    given = (stride, padding, output_padding, dilation, groups, data_format)
    return _transposed("conv1d_transpose", 1, x, weight, bias, *given)


def conv3d_transpose(
    x: TensorLike,
    weight: TensorLike,
    bias: TensorLike | None = None,
    stride: Any = 1,
    padding: Any = 0,
    output_padding: Any = 0,
    dilation: Any = 1,
    groups: int = 1,
    data_format: str | None = None,
) -> Tensor:
    """`conv2d_transpose` with three dimensions of pixels: x (N, C, D, H, W) or "NDHWC", weight (C, O / groups, ...).

    Raises:
        ShapeError: the shapes do not fit.
        DefinitionError: an unknown format.
    """
    given = (stride, padding, output_padding, dilation, groups, data_format)
    return _transposed("conv3d_transpose", 3, x, weight, bias, *given)


def _convolution(
    what: str,
    pixels: int,
    x: TensorLike,
    weight: TensorLike,
    bias: TensorLike | None,
    stride: Any,
    padding: Any,
    dilation: Any,
    groups: int,
    data_format: str | None,
) -> Tensor:
    t, layout = image(what, x, pixels, data_format)
    w = _filters(what, weight, pixels)
    batch, channels, size = layout.split(extents(t))
    outputs, inner, *taps = extents(w)
    many = integer(groups, f"{what}: groups")
    if channels.affine != inner.affine * many:
        times = f" * {many} groups" if many != 1 else ""
        raise ShapeError(f"{what}: x has {channels} channels, weight {shape_text(extents(w))} wants {inner}{times}")
    per_group = _per_group(what, w, outputs, inner, many)
    along_each = windows(what, size, taps, stride, padding, dilation)
    c, *at_taps = (reduce_axis(e, n) for e, n in zip((inner, *taps), "c" + _TAPS[pixels], strict=True))

    def body(*index: IndexExpr) -> Scalar:
        n, o, at = layout.split(index)
        channel = c if many == 1 else o // per_group * inner.affine.constant + c
        each = list(zip(along_each, at, at_taps, strict=True))
        pixel = t.element(layout.join(n, channel, [v.position(i, k) for v, i, k in each]))
        inside = all_hold([condition for v, i, k in each for condition in v.inside(i, k)])
        product: Scalar = Applied("mul", (pixel, w.element((o, c, *at_taps))))
        value = product if inside is None else Selected(inside, product, Number(0))
        return Reduced("sum", tuple(a.axes[0] for a in (c, *at_taps)), value)

    return _defined(what, layout, batch, outputs, [v.outputs for v in along_each], body, bias)


def _transposed(
    what: str,
    pixels: int,
    x: TensorLike,
    weight: TensorLike,
    bias: TensorLike | None,
    stride: Any,
    padding: Any,
    output_padding: Any,
    dilation: Any,
    groups: int,
    data_format: str | None,
) -> Tensor:
    t, layout = image(what, x, pixels, data_format)
    w = _filters(what, weight, pixels)
    batch, channels, size = layout.split(extents(t))
    inputs, per, *taps = extents(w)
    if channels.affine != inputs.affine:
        raise ShapeError(f"{what}: x has {channels} channels, weight {shape_text(extents(w))} starts with {inputs}")
    many = integer(groups, f"{what}: groups")
    per_group = _per_group(what, w, inputs, per, many)
    steps, holes, cut, more = (
        per_dimension(v, pixels, f"{what}: {n}", least)
        for v, n, least in (
            (stride, "stride", 1),
            (dilation, "dilation", 1),
            (padding, "padding", 0),
            (output_padding, "output_padding", 0),
        )
    )
    shape = [(size[d] - 1) * steps[d] - 2 * cut[d] + (taps[d] - 1) * holes[d] + more[d] + 1 for d in range(pixels)]
    summed = inputs if many == 1 else per_group
    c = reduce_axis(summed, "c")

    def body(*index: IndexExpr) -> Scalar:
        n, o, at = layout.split(index)
        each = list(zip(at, size, taps, steps, holes, cut, _TAPS[pixels], strict=True))
        met = [meeting(*one) for one in each]
        inside = all_hold([condition for m in met for condition in m.conditions])
        assert inside is not None
        channel, filtered = (c, o) if many == 1 else (o // per * per_group + c, o % per)
        pixel = t.element(layout.join(n, channel, [m.position for m in met]))
        value = Selected(
            inside, Applied("mul", (pixel, w.element((channel, filtered, *(m.tap for m in met))))), Number(0)
        )
        return Reduced("sum", tuple(a.axes[0] for a in (c, *(a for m in met for a in m.axes))), value)

    return _defined(what, layout, batch, per * many, shape, body, bias)


def _defined(
    what: str, layout: Layout, batch: list[Any], outputs: Any, pixels: list[Any], body: Any, bias: TensorLike | None
) -> Tensor:
    names = layout.join("n" * len(batch), "o", _PIXELS[len(pixels)])
    y = define(layout.join(batch, outputs, pixels), body, what, dims=names)
    if bias is None:
        return y
    b = weight_tensor(bias, f"{what}: bias")
    if b.shape_affine != (y.shape_affine[layout.channels],):
        wanted = y.shape_affine[layout.channels]
        raise ShapeError(f"{what}: bias {shape_text(extents(b))} must have the shape ({wanted},)")
    result: Tensor = y + along(b, y.ndim, layout.channels)
    return result


def _filters(what: str, weight: TensorLike, pixels: int) -> Tensor:
    w = as_tensor(weight, "weight")
    if w.ndim != pixels + 2:
        raise ShapeError(f"{what}: weight {shape_text(extents(w))} must have {pixels + 2} dimensions")
    return w


def _per_group(what: str, w: Tensor, outer: IndexExpr, inner: IndexExpr, groups: int) -> int:
    """Filters of one group, along the first dimension of the weight; 1 where there is one group only."""
    if groups == 1:
        return 1
    if groups < 1 or not outer.affine.is_constant or not inner.affine.is_constant or outer.affine.constant % groups:
        raise ShapeError(
            f"{what}: with groups={groups} the channels of weight {shape_text(extents(w))} must be constant, and the "
            "first dimension a multiple of the groups"
        )
    return outer.affine.constant // groups
