"""Pooling over any number of dimensions of pixels."""

from __future__ import annotations

import math
from typing import Any

from polyad.frontend.argument_checks import flag
from polyad.frontend.compute import reduce_axis
from polyad.frontend.constants import as_tensor
from polyad.frontend.scalar import Applied, IndexExpr, Number, Reduced, Scalar, Selected
from polyad.frontend.tensor import Tensor, define
from polyad.nn.layouts import image
from polyad.nn.windows import Window, all_hold, window, windows
from polyad.numpy.dimensions import TensorLike, extents

__all__ = ["avg_pool1d", "avg_pool2d", "avg_pool3d", "max_pool1d", "max_pool2d", "max_pool3d"]

_PIXELS = {1: "i", 2: "ij", 3: "ijm"}
_TAPS = {1: "k", 2: "kl", 3: "klq"}


def max_pool2d(
    x: TensorLike,
    size: Any,
    stride: Any = None,
    padding: Any = 0,
    dilation: Any = 1,
    ceil_mode: bool = False,
    data_format: str | None = None,
) -> Tensor:
    """The largest element of each window.

    Shapes: x (N, C, H, W); result (N, C, H', W') with
    H' = floor((H + padding - dilation * (size - 1) - 1) / stride) + 1. N may be missing.

    Args:
        x: images.
        size: window, one number or (vertical, horizontal).
        stride: from window to window; the size of the window if None.
        padding: border that is never chosen: one number, (vertical, horizontal), ((top, bottom), (left, right)),
            "valid" or "same", as for `conv2d`.
        dilation: from tap to tap.
        ceil_mode: a last window may hang over the border behind, as long as it starts before that.
        data_format: "NCHW" (also None) or "NHWC".

    Raises:
        ShapeError: the window does not fit into the padded image.
        DefinitionError: an unknown format or kind of padding.
    """
    return _pool("max_pool2d", 2, "max", x, size, stride, padding, dilation, ceil_mode, data_format)


def max_pool1d(
    x: TensorLike,
    size: Any,
    stride: Any = None,
    padding: Any = 0,
    dilation: Any = 1,
    ceil_mode: bool = False,
    data_format: str | None = None,
) -> Tensor:
    """`max_pool2d` with one dimension of pixels, (N, C, W) or "NWC".

    Raises:
        ShapeError: the window does not fit into the padded image.
        DefinitionError: an unknown format or kind of padding.
    """
    return _pool("max_pool1d", 1, "max", x, size, stride, padding, dilation, ceil_mode, data_format)


def max_pool3d(
    x: TensorLike,
    size: Any,
    stride: Any = None,
    padding: Any = 0,
    dilation: Any = 1,
    ceil_mode: bool = False,
    data_format: str | None = None,
) -> Tensor:
    """`max_pool2d` with three dimensions of pixels, (N, C, D, H, W) or "NDHWC".

    Raises:
        ShapeError: the window does not fit into the padded image.
        DefinitionError: an unknown format or kind of padding.
    """
    return _pool("max_pool3d", 3, "max", x, size, stride, padding, dilation, ceil_mode, data_format)


def avg_pool2d(
    x: TensorLike,
    size: Any,
    stride: Any = None,
    padding: Any = 0,
    count_include_pad: bool = True,
    ceil_mode: bool = False,
    data_format: str | None = None,
) -> Tensor:
    """The mean of each window, zeros of the border included unless `count_include_pad` is false.

    What a last window of `ceil_mode` has behind the border is not counted in any case.

    Shapes: as `max_pool2d`.

    Raises:
        ShapeError: the window does not fit into the padded image.
        DefinitionError: an unknown format or kind of padding.
    """
    return _average("avg_pool2d", 2, x, size, stride, padding, count_include_pad, ceil_mode, data_format)


def avg_pool1d(
    x: TensorLike,
    size: Any,
    stride: Any = None,
    padding: Any = 0,
    count_include_pad: bool = True,
    ceil_mode: bool = False,
    data_format: str | None = None,
) -> Tensor:
    """`avg_pool2d` with one dimension of pixels, (N, C, W) or "NWC".

    Raises:
        ShapeError: the window does not fit into the padded image.
        DefinitionError: an unknown format or kind of padding.
    """
    return _average("avg_pool1d", 1, x, size, stride, padding, count_include_pad, ceil_mode, data_format)


def avg_pool3d(
    x: TensorLike,
    size: Any,
    stride: Any = None,
    padding: Any = 0,
    count_include_pad: bool = True,
    ceil_mode: bool = False,
    data_format: str | None = None,
) -> Tensor:
    """`avg_pool2d` with three dimensions of pixels, (N, C, D, H, W) or "NDHWC".

    Raises:
        ShapeError: the window does not fit into the padded image.
        DefinitionError: an unknown format or kind of padding.
    """
    return _average("avg_pool3d", 3, x, size, stride, padding, count_include_pad, ceil_mode, data_format)


def _average(
    what: str,
    pixels: int,
    x: TensorLike,
    size: Any,
    stride: Any,
    padding: Any,
    count_include_pad: bool,
    ceil_mode: bool,
    data_format: str | None,
) -> Tensor:
    total = _pool(what, pixels, "sum", x, size, stride, padding, 1, ceil_mode, data_format)
    border = flag(count_include_pad, f"{what}: count_include_pad")
    if not ceil_mode and (border or padding in (0, "valid")):
        taps = math.prod(e.affine.constant for e in window(size, pixels, what))
        whole: Tensor = total / taps
        return whole
    t = as_tensor(x, "x")
    ones = define(extents(t), lambda *_: Number(1.0), "ones", t.dtype)
    counted = "padded" if border else "sum"
    result: Tensor = total / _pool(what, pixels, counted, ones, size, stride, padding, 1, ceil_mode, data_format)
    return result


def _pool(
    what: str,
    pixels: int,
    kind: str,
    x: TensorLike,
    size: Any,
    stride: Any,
    padding: Any,
    dilation: Any,
    ceil_mode: bool,
    data_format: str | None,
) -> Tensor:
    """The reduction over each window; of kind "padded", how many elements of the image and its border it has."""
    t, layout = image(what, x, pixels, data_format)
    batch, channels, shape = layout.split(extents(t))
    taps = window(size, pixels, what)
    last = flag(ceil_mode, f"{what}: ceil_mode")
    each: list[Window] = windows(what, shape, taps, size if stride is None else stride, padding, dilation, last)
    at_taps = [reduce_axis(e, n) for e, n in zip(taps, _TAPS[pixels], strict=True)]

    def body(*index: IndexExpr) -> Scalar:
        n, c, at = layout.split(index)
        given = list(zip(each, at, at_taps, strict=True))
        if kind == "padded":
            value: Scalar = Number(1.0)
            inside = all_hold([condition for w, i, k in given for condition in w.on_padding(i, k)])
        else:
            value = t.element(layout.join(n, c, [w.position(i, k) for w, i, k in given]))
            inside = all_hold([condition for w, i, k in given for condition in w.inside(i, k)])
        if kind == "max":
            return _largest(value, given, t.dtype)
        if inside is not None:
            value = Selected(inside, value, Applied("cast", (Number(0),), t.dtype))
        return Reduced("sum", tuple(a.axes[0] for a in at_taps), value)

    names = layout.join("n" * len(batch), "c", _PIXELS[pixels])
    return define(layout.join(batch, channels, [w.outputs for w in each]), body, what, dims=names)


def _largest(value: Scalar, given: list[tuple[Window, IndexExpr, IndexExpr]], dtype: str) -> Scalar:
    """The maximum along one dimension after the other, each over the taps on the image: a border has no rows."""
    for w, i, k in reversed(given):
        inside = all_hold(w.inside(i, k))
        if inside is not None:
            value = Selected(inside, value, Applied("cast", (Number(-math.inf),), dtype))
        value = Reduced("max", (k.axes[0],), value)
    return value
