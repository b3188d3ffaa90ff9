"""Images read at places that come as data: gathers of the neighbours, weighted by how near they are."""

from __future__ import annotations

from typing import Any

from polyad.errors import DTypeError, ShapeError
from polyad.frontend.argument_checks import choice, flag
from polyad.frontend.compute import reduce_axis
from polyad.frontend.constants import as_tensor
from polyad.frontend.operator_functions import floor, maximum, minimum, round
from polyad.frontend.scalar import Applied, IndexExpr, Reduced, Scalar
from polyad.frontend.scalar_functions import cast, select
from polyad.frontend.tensor import Tensor, define
from polyad.nn.layouts import image
from polyad.nn.resize import cubic_weights
from polyad.numpy.creation import ones_like
from polyad.numpy.dimensions import TensorLike, extents, shape_text
from polyad.numpy.joining import stack

__all__ = ["grid_sample"]

_MODES = ("bilinear", "nearest", "bicubic")
_BORDERS = ("zeros", "border", "reflection")


def grid_sample(
    x: TensorLike,
    grid: TensorLike,
    mode: str = "bilinear",
    padding_mode: str = "zeros",
    align_corners: bool = False,
) -> Tensor:
    """Images read at given places.

    Equation: y[n, c, ...] = x[n, c, v, u] interpolated, at u = ((g[0] + 1) * W - 1) / 2 and
    v = ((g[1] + 1) * H - 1) / 2 for g = grid[n, ...]; with `align_corners` at u = (g[0] + 1) / 2 * (W - 1). So -1 and 1
    are the borders of the outermost pixels, or their middles. Three dimensions of pixels are read likewise, g[2] being
    the depth.

    Shapes: x (N, C, H, W), grid (N, H', W', 2), result (N, C, H', W').

    Args:
        x: images.
        grid: places, horizontal coordinate in front.
        mode: bilinear (also in three dimensions), nearest (halves to even), or bicubic (two dimensions only).
        padding_mode: what lies outside: zeros, the border going on, or the image reflected at it.
        align_corners: see above.

    Raises:
        ShapeError: the shapes do not fit.
        DTypeError: the grid is of integers.
        DefinitionError: an unknown mode.

    Source: Jaderberg et al., Spatial Transformer Networks, 2015, eq. 3.
    """
    t, g = as_tensor(x, "x"), as_tensor(grid, "grid")
    pixels = t.ndim - 2
    shapes = f"x {shape_text(extents(t))} and grid {shape_text(extents(g))}"
    if pixels not in (2, 3) or g.ndim != t.ndim or g.shape_affine[0] != t.shape_affine[0]:
        raise ShapeError(f"grid_sample: {shapes} must be (N, C, H, W) and (N, H', W', 2), or one dimension more each")
    if "float" not in g.dtype:
        raise DTypeError(f"grid_sample: the grid holds places from -1 to 1, {g.name} is {g.dtype}")
    (batch, channels, *size), layout = extents(t), image("grid_sample", t, pixels, None)[1]
    places = extents(g)[1:-1]
    if g.shape_affine[-1].constant != pixels or not g.shape_affine[-1].is_constant:
        raise ShapeError(f"grid_sample: {shapes}: the last dimension of the grid must be {pixels}")
    kind = choice(mode, _MODES if pixels == 2 else _MODES[:2], "grid_sample: mode")
    border = choice(padding_mode, _BORDERS, "grid_sample: padding_mode")
    corners = flag(align_corners, "grid_sample: align_corners")
    found = [_neighbours(g[..., pixels - 1 - d], size[d], kind, border, corners) for d in range(pixels)]

    def body(*index: IndexExpr) -> Scalar:
        (n, c, *at) = index
        taps = [reduce_axis(extents(w)[-1], name) for (_, w), name in zip(found, "klq", strict=False)]
        own = [(n, *at, k) for k in taps]
        product: Scalar = t.element(layout.join([n], c, [p.element(o) for (p, _), o in zip(found, own, strict=True)]))
        for (_, w), o in zip(found, own, strict=True):
            product = Applied("mul", (product, w.element(o)))
        return Reduced("sum", tuple(k.axes[0] for k in taps), product)

    return define([batch, channels, *places], body, "sampled")


def _neighbours(coordinate: Tensor, extent: IndexExpr, mode: str, border: str, corners: bool) -> tuple[Tensor, Tensor]:
    """Positions along one dimension that a place is read from, all inside, and their weights, behind each other."""
    u: Any = (coordinate + 1) * 0.5 * (extent - 1) if corners else ((coordinate + 1) * extent - 1) * 0.5

    def inward(v: Any) -> Any:
        if border == "reflection":
            v = _reflected(v, extent, corners)
        return v if border == "zeros" else minimum(maximum(v, 0), extent - 1)

    if mode == "bicubic":
        first = floor(u)
        read = [inward(first + n) for n in (-1, 0, 1, 2)]
        weights = cubic_weights(u - first)
    else:
        u = inward(u)
        first = round(u) if mode == "nearest" else floor(u)
        read = [first] if mode == "nearest" else [first, first + 1]
        weights = [ones_like(u)] if mode == "nearest" else [1 - (u - first), u - first]
    inside: list[Any] = [(v >= 0) & (v <= extent - 1) for v in read]
    positions = [cast(select(i, v, 0), "int64") for i, v in zip(inside, read, strict=True)]
    kept = [select(i, w, 0.0) for i, w in zip(inside, weights, strict=True)]
    return stack(positions, -1), stack(kept, -1)


def _reflected(v: Any, extent: IndexExpr, corners: bool) -> Any:
    """A place brought between the borders by reflection at them: a triangle wave."""
    low, width = (0.0, extent - 1) if corners else (-0.5, extent)
    if extent.affine.is_constant and corners and extent.affine.constant == 1:
        return v * 0
    behind = abs(v - low)
    behind = behind - floor(behind / (2 * width)) * (2 * width)
    return minimum(behind, 2 * width - behind) + low
