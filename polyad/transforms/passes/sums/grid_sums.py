"""Sums over everything are made of sums of rows, so that all of a GPU works on them.

    s += f(i, j, k)      ->      rows[i, j] += f(i, j, k);              s += rows[i, j]
    s += f(i)            ->      rows[q] += f(4096 q + r), r < 4096;    s += rows[q]

One number is summed up by the threads of one block. Rows have a block each; their number follows from the sizes, so
the bits do. Products, maxima and minima alike.

What must hold: the domain is a box, so that every row is there; each row that is added up has its identity first.
"""

from __future__ import annotations

from math import prod

from polyad.analysis.plain_axes import separable
from polyad.ir.names import unique_name
from polyad.ir.program import Program
from polyad.ir.statement import Statement
from polyad.machine.device import DEVICE
from polyad.transforms.rewrite.extents import dimension_range
from polyad.transforms.rewrite.strip_mine import strip_mine
from polyad.transforms.rewrite.sums.sums_in_rows import Rows, sums_in_rows

__all__ = ["grid_sums"]


def grid_sums(program: Program) -> Program:
    """Split sums over everything.

    Makes smaller: the terms that one block adds up.

    Args:
        program: with explicit identity definitions (transforms.initialise).
    """
    return sums_in_rows(program, lambda s: _rows(program, s))


def _rows(program: Program, s: Statement) -> Rows | None:
    """The statement over rows, and the ranges of the dimensions that count them; None where it stays."""
    if s.reduction not in ("sum", "prod", "max", "min") or program.arrays[s.array].shape or not s.dims:
        return None
    if s.domain.n_basic_set() != 1 or len(separable(s)) != len(s.dims):
        return None
    ranges = [
        r for d in range(len(s.dims)) if (r := dimension_range(s, d, program.arrays, program.context)) is not None
    ]
    extents = [extent.constant if extent.is_constant else None for _, extent in ranges]
    if len(ranges) < len(s.dims) or _terms(extents) < DEVICE.few:
        return None
    for count in range(len(s.dims) - 1, 0, -1):
        if _terms(extents[count:]) >= DEVICE.most_threads and _terms(extents[:count]) > 1:
            return s, ranges[:count]
    if _terms(extents[:1]) <= DEVICE.unknown:
        return None
    strip, place = (unique_name(n, {*s.dims, *s.params()}) for n in ("q", "r"))
    strips = strip_mine(s, 0, ranges[0][0], DEVICE.unknown, strip, place, (strip, place, *s.dims[1:]))
    found = dimension_range(strips, 0, program.arrays, program.context)
    assert found is not None, "boxes have ranges"
    return strips, [found]


def _terms(extents: list[int | None]) -> float:
    """The number of iterations; a size that nobody knows is large."""
    return prod(float("inf") if e is None else max(e, 0) for e in extents) if 0 not in extents else 0
