"""Convolutions of images, N C H W."""

from __future__ import annotations

from typing import Any

from polyad.errors import ShapeError
from polyad.frontend.argument_checks import integer, weight_tensor
from polyad.frontend.compute import reduce_axis
from polyad.frontend.constants import as_tensor
from polyad.frontend.scalar import Applied, IndexExpr, Number, Reduced, Scalar, Selected
from polyad.frontend.tensor import Tensor, define
from polyad.nn.activations import along
from polyad.nn.windows import all_hold, pair, windows
from polyad.numpy.dimensions import TensorLike, extents, one_index, shape_text

__all__ = ["conv2d", "conv2d_transpose"]


def conv2d(
    x: TensorLike,
    weight: TensorLike,
    bias: TensorLike | None = None,
    stride: Any = 1,
    padding: Any = 0,
    dilation: Any = 1,
    groups: int = 1,
) -> Tensor:
    """A convolution (cross-correlation, as everywhere in this field).

    Equation: y[n, o, i, j] = sum_{c, k, l} x[n, c, i * stride + k * dilation - padding, ...] * weight[o, c, k, l] +
    bias[o], x being zero outside of the image; c runs over the channels of o's group.

    Shapes: x (N, C, H, W), weight (O, C / groups, K, L), bias (O,); result (N, O, H', W') with
    H' = floor((H + padding - dilation * (K - 1) - 1) / stride) + 1. Extents may be symbolic, but channels in groups are
    constant.

    Args:
        x: images.
        weight: filters.
        bias: per output channel, or None.
        stride: one number, or (vertical, horizontal).
        padding: one number, (vertical, horizontal), or ((top, bottom), (left, right)).
        dilation: one number, or (vertical, horizontal).
        groups: channels are convolved in this many separate groups.

    Raises:
        ShapeError: the shapes do not fit, or the window is larger than the padded image.
    """
    t, w = as_tensor(x, "x"), as_tensor(weight, "weight")
    (images, _, *image), (outputs, inner, *taps) = _image("conv2d", t), _image("conv2d", w)
    per_group = _channels_per_group(t, w, integer(groups, "conv2d: groups"))
    vertical, horizontal = windows("conv2d", image, taps, stride, padding, dilation)
    c, k, l = (reduce_axis(e, n) for e, n in zip((inner, *taps), "ckl", strict=True))

    def body(n: IndexExpr, o: IndexExpr, i: IndexExpr, j: IndexExpr) -> Scalar:
        channel = c if groups == 1 else o // per_group * inner.affine.constant + c
        pixel = t.element((n, channel, vertical.position(i, k), horizontal.position(j, l)))
        inside = all_hold([*vertical.inside(i, k), *horizontal.inside(j, l)])
        product: Scalar = Applied("mul", (pixel, w.element((o, c, k, l))))
        value = product if inside is None else Selected(inside, product, Number(0))
        return Reduced("sum", (c.axes[0], k.axes[0], l.axes[0]), value)

    y = define((images, outputs, vertical.outputs, horizontal.outputs), body, "conv2d", dims=("n", "o", "i", "j"))
    return _with_bias("conv2d", y, bias)


def conv2d_transpose(
    x: TensorLike,
    weight: TensorLike,
    bias: TensorLike | None = None,
    stride: Any = 1,
    padding: Any = 0,
    output_padding: Any = 0,
    dilation: Any = 1,
) -> Tensor:
    """The transpose of a convolution: each input element spreads a scaled filter over the output.

    Equation: y[n, o, i, j] = sum_{c, k, l} x[n, c, p, q] * weight[c, o, k, l] + bias[o] over the input positions with
    p * stride + k * dilation - padding = i, and q likewise for j.

    Shapes: x (N, C, H, W), weight (C, O, K, L), bias (O,); result (N, O, H', W') with
    H' = (H - 1) * stride - 2 * padding + dilation * (K - 1) + output_padding + 1.

    Args:
        x: images.
        weight: filters, in the layout of the convolution that this transposes.
        bias: per output channel, or None.
        stride: one number, or (vertical, horizontal).
        padding: what is cut off at each side, one number or (vertical, horizontal).
        output_padding: rows and columns added at the bottom and the right.
        dilation: one number, or (vertical, horizontal).

    Raises:
        ShapeError: the shapes do not fit.
    """
    what = "conv2d_transpose"
    t, w = as_tensor(x, "x"), as_tensor(weight, "weight")
    (images, channels, *image), (w_channels, outputs, *taps) = _image(what, t), _image(what, w)
    if channels.affine != w_channels.affine:
        raise ShapeError(f"{what}: x has {channels} channels, weight {shape_text(extents(w))} starts with {w_channels}")
    steps, holes = pair(stride, f"{what}: stride", 1), pair(dilation, f"{what}: dilation", 1)
    cut, more = pair(padding, f"{what}: padding", 0), pair(output_padding, f"{what}: output_padding", 0)
    shape = [(image[d] - 1) * steps[d] - 2 * cut[d] + (taps[d] - 1) * holes[d] + more[d] + 1 for d in range(2)]
    c, k, l = (reduce_axis(e, n) for e, n in zip((channels, *taps), "ckl", strict=True))

    def body(n: IndexExpr, o: IndexExpr, i: IndexExpr, j: IndexExpr) -> Scalar:
        conditions: list[Scalar] = []
        position = []
        for d, (out, tap) in enumerate(((i, k), (j, l))):
            reached = out + cut[d] - tap * holes[d]
            if steps[d] > 1:
                conditions.append(Applied("eq", (reached % steps[d], one_index(0))))
            conditions.append(Applied("ge", (reached, one_index(0))))
            conditions.append(Applied("lt", (reached, image[d] * steps[d])))
            position.append(reached // steps[d])
        inside = all_hold(conditions)
        assert inside is not None
        product = Applied("mul", (t.element((n, c, *position)), w.element((c, o, k, l))))
        return Reduced("sum", (c.axes[0], k.axes[0], l.axes[0]), Selected(inside, product, Number(0)))

    y = define((images, outputs, *shape), body, what, dims=("n", "o", "i", "j"))
    return _with_bias(what, y, bias)


def _image(what: str, x: Tensor) -> tuple[IndexExpr, ...]:
    if x.ndim != 4:
        raise ShapeError(f"{what}: {x.name} {shape_text(extents(x))} must have four dimensions")
    return extents(x)


def _channels_per_group(x: Tensor, w: Tensor, groups: int) -> int:
    """Output channels of one group (1 where there is one group only and it does not matter)."""
    channels, outputs, inner = x.shape_affine[1], w.shape_affine[0], w.shape_affine[1]
    if channels != inner * groups:
        times = f" * {groups} groups" if groups != 1 else ""
        raise ShapeError(f"conv2d: x has {channels} channels, weight {shape_text(extents(w))} wants {inner}{times}")
    if groups == 1:
        return 1
    if not outputs.is_constant or not inner.is_constant or outputs.constant % groups:
        raise ShapeError(
            f"conv2d: with groups={groups} the channels of weight {shape_text(extents(w))} must be constant, and the "
            "output channels a multiple of the groups"
        )
    return outputs.constant // groups


def _with_bias(what: str, y: Tensor, bias: TensorLike | None) -> Tensor:
    if bias is None:
        return y
    b = weight_tensor(bias, f"{what}: bias")
    if b.shape_affine != (y.shape_affine[1],):
        raise ShapeError(f"{what}: bias {shape_text(extents(b))} must have the shape ({y.shape_affine[1]},)")
    result: Tensor = y + along(b, 4, 1)
    return result
