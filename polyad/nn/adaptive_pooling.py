"""Pooling to a given size: window i of O over H elements is floor(i * H / O) to ceil((i + 1) * H / O) - 1."""

from __future__ import annotations

from typing import Any

from polyad.errors import DefinitionError, ShapeError
from polyad.frontend.compute import reduce_axis
from polyad.frontend.scalar import Applied, IndexExpr, Reduced, Scalar
from polyad.frontend.tensor import Tensor, define
from polyad.nn.layouts import image
from polyad.numpy.dimensions import TensorLike, extents, one_index

__all__ = [
    "adaptive_avg_pool1d",
    "adaptive_avg_pool2d",
    "adaptive_avg_pool3d",
    "adaptive_max_pool1d",
    "adaptive_max_pool2d",
    "adaptive_max_pool3d",
    "global_avg_pool2d",
    "global_max_pool2d",
]

_PIXELS = {1: "i", 2: "ij", 3: "ijm"}
_TAPS = {1: "k", 2: "kl", 3: "klq"}


def global_avg_pool2d(x: TensorLike, data_format: str | None = None) -> Tensor:
    """The mean of each image, (N, C, H, W) to (N, C, 1, 1); N may be missing."""
    t, layout = image("global_avg_pool2d", x, 2, data_format)
    return t.mean(axis=tuple(layout.split(range(t.ndim))[2]), keepdims=True)


def global_max_pool2d(x: TensorLike, data_format: str | None = None) -> Tensor:
    """The largest element of each image, (N, C, H, W) to (N, C, 1, 1); N may be missing."""
    t, layout = image("global_max_pool2d", x, 2, data_format)
    return t.max(axis=tuple(layout.split(range(t.ndim))[2]), keepdims=True)


def adaptive_avg_pool1d(x: TensorLike, output_size: Any, data_format: str | None = None) -> Tensor:
    """`adaptive_avg_pool2d` with one dimension of pixels, (N, C, W) or "NWC".

    Raises:
        ShapeError: an extent is symbolic, and neither kept nor pooled to 1.
    """
    return _adaptive("adaptive_avg_pool1d", 1, "sum", x, output_size, data_format)


def adaptive_avg_pool2d(x: TensorLike, output_size: Any, data_format: str | None = None) -> Tensor:
    """The means of windows that cut each dimension into as many parts as asked for, as evenly as possible.

    Args:
        x: (N, C, H, W); N may be missing.
        output_size: one number, or (rows, columns); None keeps the extent.
        data_format: "NCHW" (also None) or "NHWC".

    Raises:
        ShapeError: an extent is symbolic, and neither kept nor pooled to 1.
    """
    return _adaptive("adaptive_avg_pool2d", 2, "sum", x, output_size, data_format)


def adaptive_avg_pool3d(x: TensorLike, output_size: Any, data_format: str | None = None) -> Tensor:
    """`adaptive_avg_pool2d` with three dimensions of pixels, (N, C, D, H, W) or "NDHWC".

    Raises:
        ShapeError: an extent is symbolic, and neither kept nor pooled to 1.
    """
    return _adaptive("adaptive_avg_pool3d", 3, "sum", x, output_size, data_format)


def adaptive_max_pool1d(x: TensorLike, output_size: Any, data_format: str | None = None) -> Tensor:
    """`adaptive_max_pool2d` with one dimension of pixels, (N, C, W) or "NWC".

    Raises:
        ShapeError: an extent is symbolic, and neither kept nor pooled to 1.
    """
    return _adaptive("adaptive_max_pool1d", 1, "max", x, output_size, data_format)


def adaptive_max_pool2d(x: TensorLike, output_size: Any, data_format: str | None = None) -> Tensor:
    """The largest elements of the windows of `adaptive_avg_pool2d`.

    Raises:
        ShapeError: an extent is symbolic, and neither kept nor pooled to 1.
    """
    return _adaptive("adaptive_max_pool2d", 2, "max", x, output_size, data_format)


def adaptive_max_pool3d(x: TensorLike, output_size: Any, data_format: str | None = None) -> Tensor:
    """`adaptive_max_pool2d` with three dimensions of pixels, (N, C, D, H, W) or "NDHWC".

    Raises:
        ShapeError: an extent is symbolic, and neither kept nor pooled to 1.
    """
    return _adaptive("adaptive_max_pool3d", 3, "max", x, output_size, data_format)


def _adaptive(what: str, pixels: int, kind: Any, x: TensorLike, output_size: Any, data_format: str | None) -> Tensor:
    t, layout = image(what, x, pixels, data_format)
    batch, channels, size = layout.split(extents(t))
    wanted = list(output_size) if isinstance(output_size, tuple | list) else [output_size] * pixels
    if len(wanted) != pixels or not all(
        w is None or (isinstance(w, int) and not isinstance(w, bool) and w > 0) for w in wanted
    ):
        raise DefinitionError(
            f"{what}: output_size {output_size!r} is no positive integer, nor {pixels} of them or None"
        )
    outputs = [e if w is None else one_index(w) for e, w in zip(size, wanted, strict=True)]

    def body(*index: IndexExpr) -> Scalar:
        n, c, at = layout.split(index)
        parts = [_part(what, *p) for p in zip(size, outputs, at, _TAPS[pixels], strict=True)]
        value = t.element(layout.join(n, c, [first + tap for first, _, tap in parts]))
        total: Scalar = Reduced(kind, tuple(tap.axes[0] for _, _, tap in parts), value)
        if kind == "max":
            return total
        for _, length, _ in parts:
            total = Applied("div", (total, length))
        return total

    names = layout.join("n" * len(batch), "c", _PIXELS[pixels])
    return define(layout.join(batch, channels, outputs), body, what, dims=names)


def _part(
    what: str, extent: IndexExpr, outputs: IndexExpr, at: IndexExpr, name: str
) -> tuple[IndexExpr, IndexExpr, IndexExpr]:
    """(first element, number of elements, axis over them) of window `at`."""
    whole, parts = extent.affine, outputs.affine
    if whole == parts:
        return at, one_index(1), reduce_axis(1, name)
    if parts.is_constant and parts.constant == 1:
        return one_index(0), extent, reduce_axis(extent, name)
    if not whole.is_constant:
        raise ShapeError(f"{what}: {extent} elements cannot be cut into {outputs} windows; fix the extent")
    if whole.constant % parts.constant == 0:
        length = whole.constant // parts.constant
        return at * length, one_index(length), reduce_axis(length, name)
    first: IndexExpr = at * whole.constant // parts.constant
    behind: IndexExpr = ((at + 1) * whole.constant + (parts.constant - 1)) // parts.constant
    return first, behind - first, reduce_axis(behind - first, name)
