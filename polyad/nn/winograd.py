"""Winograd's minimal filtering F(2x2, 3x3): a convolution with 16 products for each 2 x 2 outputs instead of 36."""

from __future__ import annotations

from typing import Any

import numpy as np

from polyad.errors import ShapeError
from polyad.frontend.compute import reduce_axis
from polyad.frontend.constants import as_tensor, capture
from polyad.frontend.scalar import Applied, IndexExpr, Number, Reduced, Scalar, Selected, as_index
from polyad.frontend.tensor import Tensor, define
from polyad.nn.layouts import image
from polyad.nn.linear import bias_add
from polyad.nn.windows import all_hold, windows
from polyad.numpy.dimensions import TensorLike, extents, one_index, shape_text
from polyad.numpy.einsum import einsum
from polyad.numpy.permutation import transpose
from polyad.numpy.reshape import reshape

__all__ = ["winograd_conv2d"]

_INPUT = np.array([[1, 0, -1, 0], [0, 1, 1, 0], [0, -1, 1, 0], [0, 1, 0, -1]])
_FILTER = np.array([[1, 0, 0], [0.5, 0.5, 0.5], [0.5, -0.5, 0.5], [0, 0, 1]])
_OUTPUT = np.array([[1, 1, 1, 0], [0, 1, -1, -1]])


def winograd_conv2d(x: TensorLike, weight: TensorLike, bias: TensorLike | None = None, padding: Any = 0) -> Tensor:
    """`conv2d` with filters of 3 x 3 and stride 1, in the domain of Winograd's transform.

    Equation: y = A' [(G w G') * (B' d B)] A for each 4 x 4 tile d of x, the product * summed over the channels.

    Shapes: x (N, C, H, W), weight (O, C, 3, 3), bias (O,), result as for `conv2d`; H and W are constants.

    Args:
        x: images.
        weight: filters.
        bias: per output channel, or None.
        padding: zeros around, as for `conv2d`.

    Raises:
        ShapeError: the shapes do not fit.

    Source: Lavin and Gray, Fast Algorithms for Convolutional Neural Networks, 2015, section 4.1.
    """
    t, layout = image("winograd_conv2d", x, 2, None)
    w = as_tensor(weight, "weight")
    if not layout.batched or w.ndim != 4 or w.shape_affine[1] != t.shape_affine[1]:
        raise ShapeError(
            f"winograd_conv2d: x {shape_text(extents(t))} and weight {shape_text(extents(w))} must be (N, C, H, W) and "
            "(O, C, 3, 3)"
        )
    batch, channels, *pixels = extents(t)
    each = windows("winograd_conv2d", pixels, extents(w)[2:], 1, padding, 1)
    sizes = [v.outputs.affine for v in each]
    if [str(e) for e in extents(w)[2:]] != ["3", "3"] or not all(s.is_constant for s in sizes):
        raise ShapeError(f"winograd_conv2d: filters {shape_text(extents(w))} must be 3 x 3 and images constant")
    tiles = [(s.constant + 1) // 2 for s in sizes]

    def tile(a: IndexExpr, b: IndexExpr, n: IndexExpr, c: IndexExpr, p: IndexExpr, q: IndexExpr) -> Scalar:
        places = [2 * o + k - v.before for v, o, k in zip(each, (p, q), (a, b), strict=True)]
        bounds = [(("ge", one_index(0)), ("lt", v.extent)) for v in each]
        inside = all_hold([Applied(op, (e, b)) for e, own in zip(places, bounds, strict=True) for op, b in own])
        assert inside is not None
        return Selected(inside, t.element((n, c, *places)), Applied("cast", (Number(0),), t.dtype))

    d = define([4, 4, batch, channels, *tiles], tile, "tile")
    spread = _transformed(_INPUT, _transformed(_INPUT, d, 0), 1)
    filters = _transformed(_FILTER, _transformed(_FILTER, transpose(w, (2, 3, 0, 1)), 0), 1)
    product = einsum("ijoc,ijncpq->ijnopq", filters, spread)
    y = _transformed(_OUTPUT, _transformed(_OUTPUT, product, 0), 1)
    whole = reshape(transpose(y, (2, 3, 4, 0, 5, 1)), (batch, extents(w)[0], *(2 * n for n in tiles)))
    cut: Tensor = whole[:, :, : sizes[0].constant, : sizes[1].constant]
    return cut if bias is None else bias_add(cut, bias)


def _transformed(matrix: np.ndarray, x: Tensor, d: int) -> Tensor:
    """The product of a matrix with dimension d of a tensor."""
    m = capture(matrix.astype(x.dtype))
    shape = extents(x)

    def body(*index: IndexExpr) -> Scalar:
        k = reduce_axis(shape[d], "k")
        factor = x.element((*index[:d], k, *index[d + 1 :]))
        return Reduced("sum", (k.axes[0],), Applied("mul", (m.element((index[d], k)), factor)))

    return define([*shape[:d], as_index(len(matrix), "rows"), *shape[d + 1 :]], body, "transformed")
