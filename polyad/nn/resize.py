"""Resizing images, N C H W and with one or three dimensions of pixels."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from functools import reduce
from operator import add
from typing import Any

from polyad.errors import ShapeError
from polyad.frontend.argument_checks import choice, flag
from polyad.frontend.constants import as_tensor
from polyad.frontend.scalar import Applied, IndexExpr, Number, Scalar, as_index
from polyad.frontend.tensor import Tensor, define
from polyad.nn.windows import per_dimension
from polyad.numpy.dimensions import TensorLike, extents, one_index, shape_text
from polyad.numpy.piecewise import Piece, Pieces, in_pieces, whole

__all__ = ["cubic_weights", "resize", "resize2d", "upsample"]


@dataclass(frozen=True, slots=True)
class _Scale:
    """One dimension resized: `old` elements become `new`.

    Element i is read at (i + 1/2) * old / new - 1/2, which maps borders to borders, or, with `corners`, at
    i * (old - 1) / (new - 1), which maps the middles of the outermost pixels to each other.
    """

    old: IndexExpr
    new: IndexExpr
    up: int
    down: int
    corners: bool = False

    @property
    def whole(self) -> int:
        """The denominator."""
        return self.up if self.corners else 2 * self.up

    def numerator(self, i: IndexExpr) -> IndexExpr:
        """The numerator of the place of element i."""
        place: IndexExpr = i * self.down if self.corners else (i * 2 + 1) * self.down - self.up
        return place

    def nearest(self, i: IndexExpr) -> IndexExpr:
        """The position that contains the left edge of element i: floor(i * down / up)."""
        place: IndexExpr = i * self.down // self.up
        return place

    def left(self, i: IndexExpr) -> IndexExpr:
        """The position to the left of the place of element i."""
        place: IndexExpr = self.numerator(i) // self.whole
        return place

    def share(self, i: IndexExpr) -> Scalar:
        """How far the place of element i lies behind the position to the left, 0 <= share < 1."""
        remainder = self.numerator(i) % self.whole
        return Applied("div", (remainder, Number(float(self.whole))))

    def clamped(self, place: IndexExpr) -> Pieces:
        """The position, or the nearest one that exists."""
        first = Piece(Applied("lt", (place, one_index(0))), (one_index(0),))
        last = Piece(Applied("ge", (place, self.old)), (self.old - 1,))
        return (first, last, *whole(place))


def upsample(x: TensorLike, scale: Any, method: str = "nearest", align_corners: bool = False) -> Tensor:
    """Images enlarged by constant factors; extents may be symbolic.

    Args:
        x: (N, C, H, W), or with one or three dimensions of pixels.
        scale: factor, one integer or (vertical, horizontal).
        method: nearest, bilinear or bicubic, as for `resize2d`.
        align_corners: as for `resize2d`; then extents are constant.

    Raises:
        ShapeError: another number of dimensions.
        DefinitionError: an unknown method, or a factor below 1.
    """
    t = _images("upsample", x, (1, 2, 3))
    factors = per_dimension(scale, t.ndim - 2, "upsample: scale", 1)
    if flag(align_corners, "upsample: align_corners"):
        return resize(t, [e * s for e, s in zip(extents(t)[2:], factors, strict=True)], method, True)
    return _resized(t, [_Scale(e, e * s, s, 1) for e, s in zip(extents(t)[2:], factors, strict=True)], method)


def resize(x: TensorLike, size: Any, method: str = "linear", align_corners: bool = False) -> Tensor:
    """Images of one to three dimensions of pixels brought to another size, as by `resize2d`.

    Args:
        x: (N, C, W), (N, C, H, W) or (N, C, D, H, W).
        size: new extents of the pixels, or one for all.
        method: linear (also bilinear, trilinear), nearest or bicubic.
        align_corners: as for `resize2d`.

    Raises:
        ShapeError: another number of dimensions, or the ratio of the sizes is not constant.
        DefinitionError: an unknown method.
    """
    t = _images("resize", x, (1, 2, 3))
    pixels = t.ndim - 2
    targets = [as_index(s, "an extent") for s in (size if isinstance(size, tuple | list) else [size] * pixels)]
    if len(targets) != pixels:
        raise ShapeError(f"resize: size {size!r} must be {pixels} extents")
    corners = flag(align_corners, "resize: align_corners") and method != "nearest"
    return _resized(t, [_scale(old, new, corners) for old, new in zip(extents(t)[2:], targets, strict=True)], method)


def resize2d(x: TensorLike, size: Any, method: str = "bilinear", align_corners: bool = False) -> Tensor:
    """Images brought to another size.

    Equation: bilinear and bicubic read at (i + 1/2) * H / H' - 1/2, or at i * (H - 1) / (H' - 1) with `align_corners`,
    the border going on outside; nearest at floor(i * H / H').

    Args:
        x: (N, C, H, W); height and width are constants, or the new ones are multiples of them.
        size: new height and width.
        method: bilinear, nearest, or bicubic (Keys' polynomials with a = -3/4).
        align_corners: whether the middles of the pixels in the corners lie on each other; needs constant extents.

    Raises:
        ShapeError: not four dimensions, or the ratio of the sizes is not constant.
        DefinitionError: an unknown method.
    """
    return resize(_images("resize2d", x, (2,)), size, method, flag(align_corners, "resize2d: align_corners"))


def _scale(old: IndexExpr, new: IndexExpr, corners: bool) -> _Scale:
    if corners:
        if not (old.affine.is_constant and new.affine.is_constant):
            raise ShapeError(f"resize: with align_corners {old} elements cannot become {new}: fix the size")
        apart = new.affine.constant - 1
        return _Scale(old, new, max(apart, 1), old.affine.constant - 1 if apart else 0, True)
    if old.affine.is_constant and new.affine.is_constant and old.affine.constant > 0 and new.affine.constant > 0:
        return _Scale(old, new, new.affine.constant, old.affine.constant)
    for up in range(1, 65):
        if old.affine * up == new.affine:
            return _Scale(old, new, up, 1)
        if new.affine * up == old.affine:
            return _Scale(old, new, 1, up)
    raise ShapeError(f"resize: {old} elements cannot become {new}: the ratio must be a constant; fix the size")


def _images(what: str, x: TensorLike, pixels: tuple[int, ...]) -> Tensor:
    t = as_tensor(x, "x")
    if t.ndim - 2 not in pixels:
        raise ShapeError(f"{what}: {t.name} {shape_text(extents(t))} must be (N, C, H, W)")
    return t


def _resized(t: Tensor, scales: list[_Scale], method: str) -> Tensor:
    images, channels, *_ = extents(t)
    shape = (images, channels, *(s.new for s in scales))
    kind = choice(method, ("nearest", "bilinear", "bicubic", "linear", "trilinear"), "resize method")
    if kind == "nearest":
        return define(shape, lambda n, c, *p: t.element((n, c, *_nearest(scales, p))), "resized")
    for d, scale in enumerate(scales):
        t = _interpolated(t, d + 2, scale, cubic_weights if kind == "bicubic" else _linear)
    return t


def _nearest(scales: list[_Scale], position: tuple[IndexExpr, ...]) -> list[IndexExpr]:
    return [s.nearest(i) for s, i in zip(scales, position, strict=True)]


def _linear(share: Any) -> list[Any]:
    return [1 - share, share]


def cubic_weights(share: Any) -> list[Any]:
    """The weights of four neighbours, for a place that lies `share` behind the second one.

    Source: Keys, Cubic Convolution Interpolation for Digital Image Processing, 1981, eq. 4, with a = -3/4.
    """
    a = -0.75

    def near(d: Any) -> Any:
        return ((a + 2) * d - (a + 3)) * d * d + 1

    def far(d: Any) -> Any:
        return ((d - 5) * d + 8) * d * a - 4 * a

    return [far(share + 1), near(share), near(1 - share), far(2 - share)]


def _interpolated(t: Tensor, d: int, scale: _Scale, weights: Callable[[Any], list[Any]]) -> Tensor:
    """Interpolation along one dimension; two dimensions one after the other are bilinear or bicubic."""
    shape = extents(t)

    def body(*index: IndexExpr) -> Scalar:
        left, factors = scale.left(index[d]), weights(scale.share(index[d]))

        def at(place: IndexExpr) -> Scalar:
            return in_pieces(t, [scale.clamped(place) if n == d else whole(i) for n, i in enumerate(index)])

        first = 1 - len(factors) // 2
        mixed: Scalar = reduce(add, (at(left + (first + n)) * f for n, f in enumerate(factors)))
        return mixed

    return define([*shape[:d], scale.new, *shape[d + 1 :]], body, "resized")
