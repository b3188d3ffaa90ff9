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
from polyad.frontend.argument_checks import choice
from polyad.frontend.compute import reduce_axis
from polyad.frontend.scalar import Applied, IndexExpr, Scalar, as_index
from polyad.numpy.dimensions import one_index

__all__ = ["Meeting", "Window", "all_hold", "meeting", "per_dimension", "window", "windows"]


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
        last: whether a last window may hang over the padding behind, as long as it starts before that.
    """

    extent: IndexExpr
    taps: IndexExpr
    stride: int
    dilation: int
    before: int
    behind: int
    last: bool = False

    @property
    def reach(self) -> IndexExpr:
        """Elements from the first tap to the last one."""
        result: IndexExpr = (self.taps - 1) * self.dilation + 1
        return result

    @property
    def outputs(self) -> IndexExpr:
        """How many windows there are: floor((extent + padding - reach) / stride) + 1."""
        room: IndexExpr = self.extent + (self.before + self.behind) - (self.taps - 1) * self.dilation - 1
        if self.last:
            room = room + (self.stride - 1)
        count: IndexExpr = room // self.stride + 1
        if self.last and count.affine.is_constant and self.extent.affine.is_constant:
            starts: IndexExpr = (self.extent + (self.before - 1)) // self.stride + 1
            return count if count.affine.constant <= starts.affine.constant else starts
        return count

    def position(self, output: IndexExpr, tap: IndexExpr) -> IndexExpr:
        """Return the position that a tap of a window reads."""
        place: IndexExpr = output * self.stride + tap * self.dilation - self.before
        return place

    def inside(self, output: IndexExpr, tap: IndexExpr) -> list[Scalar]:
        """Conditions that a tap of a window lies on the image; none where that needs no proof."""
        if self.before == 0 and self.behind == 0 and not self.last:
            return []
        place = self.position(output, tap)
        return [Applied("ge", (place, one_index(0))), Applied("lt", (place, self.extent))]

    def on_padding(self, output: IndexExpr, tap: IndexExpr) -> list[Scalar]:
        """Conditions that a tap of a window lies on the image or its padding; only the last window can leave both."""
        return [Applied("lt", (self.position(output, tap), self.extent + self.behind))] if self.last else []


def all_hold(conditions: Sequence[Scalar]) -> Scalar | None:
    """Their conjunction, None for none."""
    return reduce(lambda a, b: Applied("and", (a, b)), conditions) if conditions else None


def per_dimension(value: Any, dimensions: int, what: str, least: int) -> tuple[int, ...]:
    """One number for all dimensions, or one for each.

    Raises:
        DTypeError: not integers.
        DefinitionError: below `least`.
    """
    items = tuple(value) if isinstance(value, tuple | list) else (value,) * dimensions
    if len(items) != dimensions or not all(isinstance(v, int) and not isinstance(v, bool) for v in items):
        several = {1: "a list of one", 2: "a pair of integers"}.get(dimensions, f"{dimensions} integers")
        raise DTypeError(f"{what} must be an integer or {several}, not {value!r}")
    if min(items) < least:
        raise DefinitionError(f"{what} must be at least {least}, not {value!r}")
    return items


def _paddings(
    value: Any, taps: Sequence[IndexExpr], image: Sequence[IndexExpr], steps: Sequence[int], holes: Any, what: str
) -> list[tuple[int, int]]:
    """(before, behind) per dimension, from a word, one number, one per dimension, or a pair per dimension."""
    n = len(taps)
    if isinstance(value, str):
        if choice(value.lower(), ("same", "valid"), what) == "valid":
            return [(0, 0)] * n
        return [_same(*given, what) for given in zip(image, taps, steps, holes, strict=True)]
    if isinstance(value, tuple | list) and len(value) == n and any(isinstance(v, tuple | list) for v in value):
        return [(before, behind) for before, behind in (per_dimension(v, 2, what, 0) for v in value)]
    return [(v, v) for v in per_dimension(value, n, what, 0)]


def _same(extent: IndexExpr, taps: IndexExpr, stride: int, dilation: int, what: str) -> tuple[int, int]:
    """Padding with which there are ceil(extent / stride) windows; an odd element is added behind."""
    if not taps.affine.is_constant or (stride > 1 and not extent.affine.is_constant):
        raise ShapeError(f'{what}="same" of {extent} elements and {taps} taps is no constant; give the numbers')
    reach = (taps.affine.constant - 1) * dilation + 1
    missing = reach - 1
    if stride > 1:
        elements = extent.affine.constant
        missing = max((-(-elements // stride) - 1) * stride + reach - elements, 0)
    return missing // 2, missing - missing // 2


def windows(
    what: str,
    image: Sequence[IndexExpr],
    taps: Sequence[IndexExpr],
    stride: Any,
    padding: Any,
    dilation: Any,
    last: bool = False,
) -> list[Window]:
    """The windows along each dimension of an image.

    Raises:
        ShapeError: the window is larger than the padded image.
    """
    n = len(image)
    strides = per_dimension(stride, n, f"{what}: stride", 1)
    dilations = per_dimension(dilation, n, f"{what}: dilation", 1)
    paddings = _paddings(padding, taps, image, strides, dilations, f"{what}: padding")
    made = []
    for d in range(n):
        w = Window(image[d], taps[d], strides[d], dilations[d], *paddings[d], last)
        made.append(w)
        count = w.outputs.affine
        if count.is_constant and count.constant < 1:
            raise ShapeError(
                f"{what}: a window of {w.taps} taps with dilation {w.dilation} does not fit into {w.extent} elements "
                f"with padding ({w.before}, {w.behind})"
            )
        if last and not count.is_constant and not _starts_inside(w):
            raise ShapeError(f"{what}: how many windows {w.extent} elements have with ceil_mode is not known; fix it")
    return made


def _starts_inside(w: Window) -> bool:
    """Whether the last window starts on the image or in front of it, however large that is."""
    return w.reach.affine.is_constant and w.stride + w.behind <= w.reach.affine.constant


@dataclass(frozen=True, slots=True)
class Meeting:
    """The pairs of a position and a tap that meet at an element: position * stride + tap * dilation - before = element.

    Attributes:
        axes: what is to be summed over: one axis, or none where there is one pair only.
        position: of the window.
        tap: of its elements.
        conditions: affine; where they hold there is such a pair.
    """

    axes: tuple[IndexExpr, ...]
    position: IndexExpr
    tap: IndexExpr
    conditions: tuple[Scalar, ...]


def meeting(
    element: IndexExpr, positions: IndexExpr, taps: IndexExpr, stride: int, dilation: int, before: int, name: str
) -> Meeting:
    """The transpose of a window along one dimension.

    The sum is over positions where these have a stride and taps have none, else over taps: so one of the two indices is
    a multiple of the other, and only where both have a stride there is a division. Windows that do not overlap have one
    pair for each element.
    """
    zero, reached = one_index(0), element + before
    if dilation > 1 or stride == 1:
        tap = reduce_axis(taps, name)
        left = reached - tap * dilation
        inside = [Applied("ge", (left, zero)), Applied("lt", (left, positions * stride))]
        holes = [Applied("eq", (left % stride, zero))] if stride > 1 else []
        return Meeting((tap,), left // stride, tap, (*holes, *inside))
    if taps.affine.is_constant and taps.affine.constant <= stride:
        position, tap = reached // stride, reached % stride
        missing = [Applied("lt", (tap, taps))] if taps.affine.constant < stride else []
        return Meeting((), position, tap, (Applied("lt", (position, positions)), *missing))
    position = reduce_axis(positions, name)
    tap = reached - position * stride
    return Meeting((position,), position, tap, (Applied("ge", (tap, zero)), Applied("lt", (tap, taps))))


def window(value: Any, dimensions: int, what: str) -> list[IndexExpr]:
    """The taps along each dimension of a window given by its size."""
    return [as_index(v, "window") for v in per_dimension(value, dimensions, f"{what}: window", 1)]
