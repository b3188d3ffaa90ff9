"""Pooling of images, N C H W."""

from __future__ import annotations

import math
from typing import Any

from polyad.errors import ShapeError
from polyad.frontend.argument_checks import flag
from polyad.frontend.compute import reduce_axis
from polyad.frontend.constants import as_tensor
from polyad.frontend.scalar import Applied, IndexExpr, Number, Reduced, Scalar, Selected
from polyad.frontend.tensor import Tensor, define
from polyad.nn.windows import Window, all_hold, window, windows
from polyad.numpy.dimensions import TensorLike, extents, shape_text

__all__ = ["avg_pool2d", "global_avg_pool2d", "max_pool2d"]


def max_pool2d(x: TensorLike, size: Any, stride: Any = None, padding: Any = 0, dilation: Any = 1) -> Tensor:
    """The largest element of each window.

    Shapes: x (N, C, H, W); result (N, C, H', W') with
    H' = floor((H + padding - dilation * (size - 1) - 1) / stride) + 1.

    Args:
        x: images.
        size: window, one number or (vertical, horizontal).
        stride: from window to window; the size of the window if None.
        padding: border that is never chosen: one number, (vertical, horizontal), or ((top, bottom), (left, right)).
        dilation: from tap to tap.

    Raises:
        ShapeError: the window does not fit into the padded image.
    """
    return _pool("max_pool2d", "max", x, size, stride, padding, dilation, Number(-math.inf))


def avg_pool2d(
    x: TensorLike, size: Any, stride: Any = None, padding: Any = 0, count_include_pad: bool = True
) -> Tensor:
    """The mean of each window, zeros of the border included unless `count_include_pad` is false.

    Shapes: as `max_pool2d`.

    Raises:
        ShapeError: the window does not fit into the padded image.
    """
    total = _pool("avg_pool2d", "sum", x, size, stride, padding, 1, Number(0))
    if flag(count_include_pad, "avg_pool2d: count_include_pad") or padding == 0:
        height, width = window(size, "avg_pool2d")
        whole: Tensor = total / (height.affine.constant * width.affine.constant)
        return whole
    t = as_tensor(x, "x")
    ones = define(extents(t), lambda *_: Number(1.0), "ones", t.dtype)
    result: Tensor = total / _pool("avg_pool2d", "sum", ones, size, stride, padding, 1, Number(0))
    return result


def global_avg_pool2d(x: TensorLike) -> Tensor:
    """The mean of each image, (N, C, H, W) to (N, C, 1, 1)."""
    return _images("global_avg_pool2d", x).mean(axis=(2, 3), keepdims=True)


def _images(what: str, x: TensorLike) -> Tensor:
    t = as_tensor(x, "x")
    if t.ndim != 4:
        raise ShapeError(f"{what}: {t.name} {shape_text(extents(t))} must be (N, C, H, W)")
    return t


def _pool(
    what: str, kind: str, x: TensorLike, size: Any, stride: Any, padding: Any, dilation: Any, outside: Number
) -> Tensor:
    t = _images(what, x)
    images, channels, *image = extents(t)
    taps = window(size, what)
    both: list[Window] = windows(what, image, taps, size if stride is None else stride, padding, dilation)
    k, l = (reduce_axis(e, n) for e, n in zip(taps, "kl", strict=True))

    def body(n: IndexExpr, c: IndexExpr, i: IndexExpr, j: IndexExpr) -> Scalar:
        at = ((i, k), (j, l))
        value: Scalar = t.element((n, c, *(w.position(*p) for w, p in zip(both, at, strict=True))))
        inside = all_hold([condition for w, p in zip(both, at, strict=True) for condition in w.inside(*p)])
        if inside is not None:
            value = Selected(inside, value, Applied("cast", (outside,), t.dtype))
        return Reduced(kind, (k.axes[0], l.axes[0]), value)

    shape = (images, channels, *(w.outputs for w in both))
    return define(shape, body, what, dims=("n", "c", "i", "j"))
