"""Array elements in C."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from polyad.codegen.names import Names
from polyad.codegen.storage.layouts import Layout
from polyad.codegen.text.integer_text import affine_text, linear_index
from polyad.ir.affine import Affine
from polyad.ir.array import Array

__all__ = ["ArrayText"]


@dataclass(frozen=True, slots=True, eq=False)
class ArrayText:
    """Spells elements.

    Attributes:
        arrays: by name.
        names: the C names.
        slots: array -> dimension -> slots of its circular buffer.
        layouts: arrays that are stored skewed.
    """

    arrays: Mapping[str, Array]
    names: Names
    slots: Mapping[str, Mapping[int, int]]
    layouts: Mapping[str, Layout]

    def cell(self, array: str, index: Sequence[Affine]) -> str:
        """h[(t % 2 * B + b) * H + k], from one affine expression per dimension."""
        spell, layout = self.names.value, self.layouts.get(array)
        if layout is None:
            return self.element(array, [affine_text(i, spell) for i in index])
        shape = self.arrays[array].shape
        moved, order = layout.index(index, shape), layout.order(len(shape))
        texts = [
            _remainder(moved[d], shape[d], self.names) if d in layout.skews else affine_text(moved[d], spell)
            for d in order
        ]
        return f"{self.names.arrays[array]}[{linear_index(texts, [shape[d] for d in order], spell)}]"

    def element(self, array: str, index: Sequence[str]) -> str:
        """h[(t % 2 * B + b) * H + k], from one C expression per dimension."""
        return f"{self.names.arrays[array]}[{self.position(array, index)}]"

    def position(self, array: str, index: Sequence[str]) -> str:
        """The position of an element in the memory of its array."""
        slots = self.slots.get(array, {})
        # Indices lie inside of the array, so they are not negative and C's remainder is the one that is meant.
        folded = [_slot(i, slots[d]) if d in slots else i for d, i in enumerate(index)]
        extents = [Affine.of(slots.get(d, e)) for d, e in enumerate(self.arrays[array].shape)]
        return linear_index(folded, extents, self.names.value)


def _slot(index: str, slots: int) -> str:
    if slots == 1:
        return "0"
    if index.isdigit():
        return str(int(index) % slots)
    return f"{index} % {slots}" if index.isidentifier() else f"({index}) % {slots}"


def _remainder(index: Affine, extent: Affine, names: Names) -> str:
    """index % extent, neither negative."""
    if index.is_constant and extent.is_constant:
        return str(index.constant % extent.constant)
    parts = [affine_text(a, names.value) for a in (index, extent)]
    return " % ".join(p if p.isidentifier() or p.isdigit() else f"({p})" for p in parts)
