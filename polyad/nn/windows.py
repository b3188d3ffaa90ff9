"""Sliding windows over images: how positions, strides, padding and dilation turn into indices.

Along one dimension, output `o` and tap `k` of a window read position `o * stride + k * dilation - before`. Positions
outside of the image are cut out of the domain by an affine condition; nothing is copied to pad.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import reduce
from typing import Any

from polyad.errors import DefinitionError, DTypeError, ShapeError
from polyad.frontend.scalar import Applied, IndexExpr, Scalar, as_index
from polyad.numpy.dimensions import one_index

__all__ = ["Window", "all_hold", "pair", "window", "windows"]


@dataclass(frozen=True, slots=True)
class Window:
    """A window along one dimension.

    Attributes:
        extent: of the image.
        taps: of the window.
        stride: from one window to the next.
        dilation: from one tap to the next.
        before: padding in front.
        behind: padding behind.
    """

    extent: IndexExpr
    taps: IndexExpr
    stride: int
    dilation: int
    before: int
    behind: int

    @property
    def outputs(self) -> IndexExpr:
        """How many windows there are: floor((extent + padding - reach) / stride) + 1."""
        room: IndexExpr = self.extent + (self.before + self.behind) - (self.taps - 1) * self.dilation - 1
        count: IndexExpr = room // self.stride + 1
        return count

    def position(self, output: IndexExpr, tap: IndexExpr) -> IndexExpr:
        """Return the position that a tap of a window reads."""
        place: IndexExpr = output * self.stride + tap * self.dilation - self.before
        return place

    def inside(self, output: IndexExpr, tap: IndexExpr) -> list[Scalar]:
        """Conditions that a tap of a window lies on the image; none where that needs no proof."""
        if self.before == 0 and self.behind == 0:
            return []
        place = self.position(output, tap)
        return [Applied("ge", (place, one_index(0))), Applied("lt", (place, self.extent))]


def all_hold(conditions: Sequence[Scalar]) -> Scalar | None:
    """Their conjunction, None for none."""
    return reduce(lambda a, b: Applied("and", (a, b)), conditions) if conditions else None


def pair(value: Any, what: str, least: int) -> tuple[int, int]:
    """One number for both dimensions, or two.

    Raises:
        DTypeError: not integers.
        DefinitionError: below `least`.
    """
    items = tuple(value) if isinstance(value, tuple | list) else (value, value)
    if len(items) != 2 or not all(isinstance(v, int) and not isinstance(v, bool) for v in items):
        raise DTypeError(f"{what} must be an integer or a pair of integers, not {value!r}")
    if min(items) < least:
        raise DefinitionError(f"{what} must be at least {least}, not {value!r}")
    return items[0], items[1]


def _paddings(value: Any, what: str) -> list[tuple[int, int]]:
    """(before, behind) per dimension, from one number, two, or two pairs."""
    if isinstance(value, tuple | list) and any(isinstance(v, tuple | list) for v in value):
        return [pair(v, what, 0) for v in value]
    vertical, horizontal = pair(value, what, 0)
    return [(vertical, vertical), (horizontal, horizontal)]


def windows(
    what: str, image: Sequence[IndexExpr], taps: Sequence[IndexExpr], stride: Any, padding: Any, dilation: Any
) -> list[Window]:
    """The windows along height and width.

    Raises:
        ShapeError: the window is larger than the padded image.
    """
    strides, dilations = pair(stride, f"{what}: stride", 1), pair(dilation, f"{what}: dilation", 1)
    paddings = _paddings(padding, f"{what}: padding")
    made = []
    for d in range(2):
        w = Window(image[d], taps[d], strides[d], dilations[d], *paddings[d])
        made.append(w)
        if w.outputs.affine.is_constant and w.outputs.affine.constant < 1:
            raise ShapeError(
                f"{what}: a window of {w.taps} taps with dilation {w.dilation} does not fit into {w.extent} elements "
                f"with padding ({w.before}, {w.behind})"
            )
    return made


def window(value: Any, what: str) -> list[IndexExpr]:
    """The taps along height and width of a window given by its size."""
    height, width = pair(value, f"{what}: window", 1)
    return [as_index(height, "window"), as_index(width, "window")]
