"""Array elements in C."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from polyad.codegen.names import Names
from polyad.codegen.storage.layouts import Layout
from polyad.codegen.text.code import Code, infix, subscript
from polyad.codegen.text.integer_text import affine_code, linear_index
from polyad.ir.affine import Affine, FloorDiv
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

    def element(self, array: str, index: Sequence[Affine | Code]) -> Code:
        """h[(t % 2 * B + b) * H + k], from one index per dimension; those that depend on data are expressions."""
        return subscript(self.names.arrays[array], self.position(array, index))

    def position(self, array: str, index: Sequence[Affine | Code]) -> Code:
        """The position of an element in the memory of its array."""
        return linear_index(*_joined(*self.in_memory(array, index)), self.names.value)

    def in_memory(self, array: str, index: Sequence[Affine | Code]) -> tuple[list[Affine | Code], list[Affine]]:
        """The indices of an element, and the extents, in the order of memory, turns of circular buffers taken."""
        shape, layout, slots = self.arrays[array].shape, self.layouts.get(array), self.slots.get(array, {})
        if layout is None:
            extents = [Affine.of(slots.get(d, e)) for d, e in enumerate(shape)]
            return [self._remainder(i, extents[d]) if d in slots else i for d, i in enumerate(index)], extents
        moved = layout.index([i for i in index if isinstance(i, Affine)], shape)
        order = layout.order(len(shape))
        return (
            [self._remainder(moved[d], shape[d]) if d in layout.skews else moved[d] for d in order],
            [shape[d] for d in order],
        )

    def _remainder(self, index: Affine | Code, extent: Affine) -> Affine | Code:
        """index % extent, neither negative, so that C's remainder is the one that is meant."""
        if extent == Affine.of(1):
            return Affine()
        if isinstance(index, Affine) and index.is_constant and extent.is_constant:
            return Affine.of(index.constant % extent.constant)
        spelled = affine_code(index, self.names.value) if isinstance(index, Affine) else index
        return infix("%", spelled, affine_code(extent, self.names.value))


def _joined(index: list[Affine | Code], extents: list[Affine]) -> tuple[list[Affine | Code], list[Affine]]:
    """One index for two where they share quotients that cancel: e // 35 and e % 35 in rows of 35 are e."""
    joined: list[Affine | Code] = index[:1]
    lengths = extents[:1]
    for inner, extent in zip(index[1:], extents[1:], strict=True):
        outer = joined[-1]
        if isinstance(outer, Affine) and isinstance(inner, Affine) and extent.is_constant:
            whole = outer * extent.constant + inner
            if _quotients(whole) < _quotients(outer) | _quotients(inner):
                joined[-1], lengths[-1] = whole, lengths[-1] * extent.constant
                continue
        joined.append(inner)
        lengths.append(extent)
    return joined, lengths


def _quotients(index: Affine) -> set[FloorDiv]:
    return {atom for atom, _ in index.terms if isinstance(atom, FloorDiv)}
