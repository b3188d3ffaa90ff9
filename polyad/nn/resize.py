"""Resizing images, N C H W."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from polyad.errors import ShapeError
from polyad.frontend.argument_checks import choice
from polyad.frontend.constants import as_tensor
from polyad.frontend.scalar import Applied, IndexExpr, Number, Scalar, as_index
from polyad.frontend.tensor import Tensor, define
from polyad.nn.windows import per_dimension
from polyad.numpy.dimensions import TensorLike, extents, one_index, shape_text
from polyad.numpy.piecewise import Piece, Pieces, in_pieces, whole

__all__ = ["resize2d", "upsample"]


@dataclass(frozen=True, slots=True)
class _Scale:
    """One dimension resized: `old` elements become `new`, in the constant ratio new / old = up / down."""

    old: IndexExpr
    new: IndexExpr
    up: int
    down: int

    def nearest(self, i: IndexExpr) -> IndexExpr:
        """The position that contains the left edge of element i: floor(i * down / up)."""
        place: IndexExpr = i * self.down // self.up
        return place

    def left(self, i: IndexExpr) -> IndexExpr:
        """The position to the left of the middle of element i: floor((i + 1/2) * down / up - 1/2)."""
        place: IndexExpr = ((i * 2 + 1) * self.down - self.up) // (2 * self.up)
        return place

    def share(self, i: IndexExpr) -> Scalar:
        """How far the middle of element i lies behind the position to the left, 0 <= share < 1."""
        remainder = ((i * 2 + 1) * self.down - self.up) % (2 * self.up)
        return Applied("div", (remainder, Number(float(2 * self.up))))

    def clamped(self, place: IndexExpr) -> Pieces:
        """The position, or the nearest one that exists."""
        first = Piece(Applied("lt", (place, one_index(0))), (one_index(0),))
        last = Piece(Applied("ge", (place, self.old)), (self.old - 1,))
        return (first, last, *whole(place))


def upsample(x: TensorLike, scale: Any, method: str = "nearest") -> Tensor:
    """Images enlarged by constant factors; extents may be symbolic.

    Args:
        x: (N, C, H, W).
        scale: factor, one integer or (vertical, horizontal).
        method: nearest or bilinear (middles of pixels aligned).

    Raises:
        ShapeError: not four dimensions.
        DefinitionError: an unknown method, or a factor below 1.
    """
    t = _images("upsample", x)
    factors = per_dimension(scale, 2, "upsample: scale", 1)
    return _resized(t, [_Scale(e, e * s, s, 1) for e, s in zip(extents(t)[2:], factors, strict=True)], method)


def resize2d(x: TensorLike, size: Any, method: str = "bilinear") -> Tensor:
    """Images brought to another size.

    Equation: bilinear reads at (i + 1/2) * H / H' - 1/2, clamped at the border; nearest at floor(i * H / H').

    Args:
        x: (N, C, H, W); height and width are constants, or the new ones are multiples of them.
        size: new height and width.
        method: bilinear or nearest.

    Raises:
        ShapeError: not four dimensions, or the ratio of the sizes is not constant.
        DefinitionError: an unknown method.
    """
    t = _images("resize2d", x)
    targets = [as_index(s, "an extent") for s in (size if isinstance(size, tuple | list) else (size, size))]
    if len(targets) != 2:
        raise ShapeError(f"resize2d: size {size!r} must be (height, width)")
    return _resized(t, [_scale(old, new) for old, new in zip(extents(t)[2:], targets, strict=True)], method)


def _scale(old: IndexExpr, new: IndexExpr) -> _Scale:
    if old.affine.is_constant and new.affine.is_constant and old.affine.constant > 0 and new.affine.constant > 0:
        return _Scale(old, new, new.affine.constant, old.affine.constant)
    for up in range(1, 65):
        if old.affine * up == new.affine:
            return _Scale(old, new, up, 1)
        if new.affine * up == old.affine:
            return _Scale(old, new, 1, up)
    raise ShapeError(f"resize2d: {old} elements cannot become {new}: the ratio must be a constant; fix the size")


def _images(what: str, x: TensorLike) -> Tensor:
    t = as_tensor(x, "x")
    if t.ndim != 4:
        raise ShapeError(f"{what}: {t.name} {shape_text(extents(t))} must be (N, C, H, W)")
    return t


def _resized(t: Tensor, scales: list[_Scale], method: str) -> Tensor:
    images, channels, *_ = extents(t)
    shape = (images, channels, *(s.new for s in scales))
    match choice(method, ("nearest", "bilinear"), "resize method"):
        case "nearest":
            return define(shape, lambda n, c, *p: t.element((n, c, *_nearest(scales, p))), "resized")
        case _:
            rows = _interpolated(t, 2, scales[0])
            return _interpolated(rows, 3, scales[1])


def _nearest(scales: list[_Scale], position: tuple[IndexExpr, ...]) -> list[IndexExpr]:
    return [s.nearest(i) for s, i in zip(scales, position, strict=True)]


def _interpolated(t: Tensor, d: int, scale: _Scale) -> Tensor:
    """Linear interpolation along one dimension; two dimensions one after the other are bilinear."""
    shape = extents(t)

    def body(*index: IndexExpr) -> Scalar:
        left, share = scale.left(index[d]), scale.share(index[d])

        def at(place: IndexExpr) -> Scalar:
            return in_pieces(t, [scale.clamped(place) if n == d else whole(i) for n, i in enumerate(index)])

        mixed: Scalar = at(left) * (1 - share) + at(left + 1) * share
        return mixed

    return define([*shape[:d], scale.new, *shape[d + 1 :]], body, "resized")
