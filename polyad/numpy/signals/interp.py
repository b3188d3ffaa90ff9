"""Linear interpolation between points."""

from __future__ import annotations

from typing import Any

from polyad.errors import ShapeError
from polyad.frontend.constants import as_tensor
from polyad.frontend.scalar import IndexExpr, Scalar
from polyad.frontend.scalar_functions import select
from polyad.frontend.tensor import Tensor, define, user_line
from polyad.numpy.dimensions import TensorLike, extents, floats, shape_text
from polyad.numpy.elementwise import clip
from polyad.numpy.order.bins import searchsorted

__all__ = ["interp"]


def interp(x: TensorLike, xp: TensorLike, fp: TensorLike, left: Any = None, right: Any = None) -> Tensor:
    """The values at x of the function that is linear between the points (xp[i], fp[i]), as `numpy.interp`.

    Args:
        x: where; tensor of any shape.
        xp: vector, increasing.
        fp: vector of as many values.
        left: the value below xp[0]; fp[0] by default.
        right: the value above xp[-1]; fp[-1] by default.

    Derivatives are those of the piece that x lies in, of the right one at xp[i], and 0 outside.

    Raises:
        ShapeError: xp and fp are no vectors of one length, or have no elements.
    """
    t, points, values = floats(x, "x"), floats(xp, "xp"), floats(fp, "fp")
    if points.ndim != 1 or points.shape_affine != values.shape_affine or points.shape == (0,):
        raise ShapeError(
            f"{user_line()}: interp takes two vectors of one length, xp has shape {shape_text(extents(points))} and fp "
            f"{shape_text(extents(values))}"
        )
    (n,) = extents(points)
    if points.shape == (1,):
        piece = define(extents(t), lambda *_: as_tensor(0, "0").element([]), "piece", "int64")
        inner = define(extents(t), lambda *_: values.element([0]), "inner")
    else:
        piece = clip(searchsorted(points, t, "right") - 1, 0, n - 2)

        def between(*index: IndexExpr) -> Scalar:
            at: Any = piece.element(index)
            here: Any = t.element(index)
            low: Any = points.element([at])
            share = (here - low) / (points.element([at + 1]) - low)
            first: Any = values.element([at])
            result: Scalar = first + share * (values.element([at + 1]) - first)
            return result

        inner = define(extents(t), between, "inner")
    below, above = (values[0] if left is None else left), (values[-1] if right is None else right)
    result: Tensor = select(t < points[0], below, select(t > points[-1], above, inner))
    result = select(t == points[-1], values[-1], result)
    return result
