"""How the operands of a contraction in tiles are read: what neighbouring threads read, and how many bytes at once.

    a[i * 1024 + k]     counted by terms, 4 floats at once: k, k + 1, k + 2, k + 3 lie beside each other, and 1024 is a
                        multiple of 4, as the number of terms is

Sixteen bytes are read at once where that is known at compile time: the innermost loop of those that are counted moves
by one element, all others by multiples of a pack, and so does what the position begins with.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from polyad.codegen.cuda.loop_chains import iterations
from polyad.codegen.cuda.tiles import Tile
from polyad.codegen.loops.nodes import Loop
from polyad.codegen.loops.statement_accesses import Touches, cell_of
from polyad.codegen.text.array_text import ArrayText
from polyad.ir.affine import Affine
from polyad.ir.element_types import item_bytes
from polyad.ir.expr import Read
from polyad.machine.device import DEVICE

__all__ = ["Packs", "packs_of"]


@dataclass(frozen=True, slots=True)
class Packs:
    """How an operand is read.

    Attributes:
        by_terms: neighbouring threads read neighbouring terms, else neighbouring rows or columns.
        width: elements that are read at once.
    """

    by_terms: bool
    width: int


def packs_of(read: Read, tile: Tile, text: ArrayText, touches: Touches) -> Packs:
    """The way along the last dimension of an operand.

    Args:
        read: one of the operands.
        tile: the contraction.
        text: where elements lie.
        touches: the accesses of all statements.
    """
    own = tile.rows if read is tile.first else tile.columns
    touch = next(t for t in touches[tile.instance.statement][1:] if t.access is read.access)
    cell = cell_of(touch, tile.instance)
    assert cell is not None, "operands have affine indices"
    by_terms = not cell or not cell[-1].names() & {o.iterator for o in own}
    width = DEVICE.pack // item_bytes(read.dtype)
    along = tile.sums if by_terms else own
    position = _position(read.array, cell, text)
    return Packs(by_terms, width if position is not None and _is_packed(position, along, width) else 1)


def _position(array: str, cell: Sequence[Affine], text: ArrayText) -> Affine | None:
    """The position of an element in memory, where it is an affine expression."""
    index, extents = text.in_memory(array, cell)
    total = Affine()
    for d, (i, extent) in enumerate(zip(index, extents, strict=True)):
        if not isinstance(i, Affine) or (d and not extent.is_constant):
            return None
        total = total * (extent.constant if d else 1) + i
    return total


def _is_packed(position: Affine, along: Sequence[Loop], width: int) -> bool:
    """Whether so many neighbours lie beside each other, at a multiple of their size."""
    fast = along[-1]
    first, count = fast.limits[0], iterations([fast])
    if not isinstance(first, Affine) or not first.is_constant or count is None or count % width:
        return False
    steps = dict(position.terms)
    start = position.constant + first.constant
    return steps.pop(fast.iterator, 0) == 1 and not start % width and not any(c % width for c in steps.values())
