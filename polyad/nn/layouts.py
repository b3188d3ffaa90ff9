"""Layouts of images: channels in front of the pixels or behind them, with a batch or without."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from polyad.errors import ShapeError
from polyad.frontend.argument_checks import choice
from polyad.frontend.constants import as_tensor
from polyad.frontend.tensor import Tensor
from polyad.numpy.dimensions import TensorLike, extents, shape_text

__all__ = ["Layout", "image"]

_FIRST = {1: ("NCW", "NCL", "NCH"), 2: ("NCHW",), 3: ("NCDHW",)}
_LAST = {1: ("NWC", "NLC", "NHC"), 2: ("NHWC",), 3: ("NDHWC",)}
_NUMBERS = {2: "two", 3: "three", 4: "four", 5: "five"}


@dataclass(frozen=True, slots=True)
class Layout:
    """The order of dimensions.

    Attributes:
        batched: whether there is a dimension of images in front.
        last: whether the channels stand behind the pixels.
    """

    batched: bool = True
    last: bool = False

    @property
    def channels(self) -> int:
        """The dimension of the channels; negative where it is the last one."""
        return -1 if self.last else int(self.batched)

    def split(self, items: Sequence[Any]) -> tuple[list[Any], Any, list[Any]]:
        """(of the images, of the channels, of the pixels), from one item per dimension."""
        given = list(items)
        batch = given[: int(self.batched)]
        channel = given.pop(self.channels)
        return batch, channel, given[len(batch) :]

    def join(self, batch: Sequence[Any], channel: Any, pixels: Sequence[Any]) -> list[Any]:
        """One item per dimension."""
        return [*batch, *pixels, channel] if self.last else [*batch, channel, *pixels]


def image(what: str, x: TensorLike, pixels: int, data_format: str | None) -> tuple[Tensor, Layout]:
    """An image or a batch of them, and how it lies.

    Args:
        what: the function.
        x: tensor.
        pixels: how many dimensions the pixels have.
        data_format: letters, None for channels in front of the pixels.

    Raises:
        ShapeError: another number of dimensions.
        DefinitionError: an unknown format.
    """
    t = as_tensor(x, "x")
    known = (*_FIRST[pixels], *_LAST[pixels])
    letters = known[0] if data_format is None else choice(data_format, known, f"{what}: data_format")
    if t.ndim not in (pixels + 1, pixels + 2):
        raise ShapeError(
            f"{what}: {t.name} {shape_text(extents(t))} must have {_NUMBERS[pixels + 2]} dimensions, "
            f"({', '.join(letters)}), or one less for a single image"
        )
    return t, Layout(t.ndim == pixels + 2, letters in _LAST[pixels])
