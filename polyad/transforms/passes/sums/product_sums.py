"""Products of matrices with few results and many terms, in parts, so that all of a GPU works on them.

    c[i, j] += a[k, i] * b[k, j], k < 6400     ->     c_parts[i, p, j] += a[400 p + r, i] * b[400 p + r, j], r < 400
                                                      c[i, j] += c_parts[i, p, j]

A block computes a tile of results (codegen/cuda/tiles.py). Where there are fewer tiles than multiprocessors, such as
those of the gradient of a weight, each tile is computed in parts; how many there are follows from the sizes, and so do
the bits.

What must hold: the dimension that is divided is a box with all others, and a multiple of the number of parts; each part
has its zero first.
"""

from __future__ import annotations

from dataclasses import replace
from math import ceil, inf

from polyad.ir.element_types import item_bytes
from polyad.ir.program import Program
from polyad.ir.statement import Statement
from polyad.machine.device import DEVICE, LIMITS
from polyad.transforms.rewrite.array_graph import array_components
from polyad.transforms.rewrite.sums.divided_sum import Division, dividable, with_divided_sums
from polyad.transforms.rewrite.sums.product_extents import product_extents

__all__ = ["product_sums"]


def product_sums(program: Program) -> Program:
    """Divide the sums of products that have too few tiles.

    Makes smaller: the terms that a block adds up while others have nothing to do.

    Args:
        program: with explicit identity definitions (transforms.initialise).
    """
    recurrent = {a for c in array_components(program) if c.recurrent for a in c.arrays}
    return with_divided_sums(program, lambda s: None if s.array in recurrent else _divided(program, s))


def _divided(program: Program, s: Statement) -> Division | None:
    """How a sum is divided, where it pays."""
    extents = product_extents(program, s)
    found = dividable(program, s)
    if extents is None or found is None or inf in (extents.rows, extents.columns, extents.terms, extents.batches):
        return None
    usual = DEVICE.usual_tile(item_bytes(program.arrays[s.array].dtype))
    tiles = ceil(extents.rows / usual.rows) * ceil(extents.columns / usual.columns) * extents.batches
    parts = int(min(2 * LIMITS.multiprocessors // max(tiles, 1), extents.terms // DEVICE.part_terms))
    whole = replace(extents, batches=extents.batches * parts)
    return found.in_equal_parts(parts) if 2 * tiles <= LIMITS.multiprocessors and whole.in_tiles else None
