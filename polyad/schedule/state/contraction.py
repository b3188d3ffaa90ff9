"""Contractions (analysis/contraction.py) that the macro-kernel is to have, inside of the loops around them.

A contraction whose batch dimensions have loops already, and whose other dimensions form a box, goes to the macro-kernel
of polyad_contraction.h as a whole; its loops stand in one band under the mark `contraction`. Where the domain is no box
(a convolution with padding, say), it becomes one once the dimensions of the sum that spoil it are fixed by loops
outside: `peeled`. Stairs (transforms/passes/boxes/stairs.py) are a box for each block of rows: `blocked`.
Source: K. Goto, R. van de Geijn, Anatomy of high-performance matrix multiplication, 2008.
"""

from __future__ import annotations

from collections.abc import Container, Sequence
from dataclasses import dataclass
from itertools import combinations
from math import prod

import islpy as isl

from polyad import islx
from polyad.analysis.contraction import SumOfProducts
from polyad.machine import MACHINE, Machine
from polyad.transforms.passes.boxes.stairs import is_box_in_blocks

__all__ = ["ContractionLoops", "contraction_loops"]

_PEELED = 2
"""Dimensions of a sum that may get loops outside: the window over the border of an image has two."""


@dataclass(frozen=True, slots=True)
class ContractionLoops:
    """The dimensions of a contraction that still need loops, by what they do.

    Attributes:
        batch: index all three arrays; loops around the rest.
        peeled: dimensions of the sum that must be fixed for the rest to form a box.
        blocked: the dimension of the result whose blocks get a loop outside, so that the rest forms a box, or "".
        rows: m.
        columns: n.
        sums: k.
    """

    batch: tuple[str, ...]
    peeled: tuple[str, ...]
    rows: tuple[str, ...]
    columns: tuple[str, ...]
    sums: tuple[str, ...]
    blocked: str = ""

    @property
    def inner(self) -> tuple[str, ...]:
        """The dimensions that the macro-kernel runs over."""
        return (*self.rows, *self.columns, *self.sums)


def contraction_loops(
    found: SumOfProducts | None,
    domain: isl.Set,
    left: Sequence[str],
    around: isl.Map,
    computed: Container[str] | None,
    machine: Machine = MACHINE,
) -> ContractionLoops | None:
    """Return the loops that the macro-kernel is to run over, or None.

    Args:
        found: what a statement is.
        domain: { S[dims] } its instances.
        left: dimensions that still need loops.
        around: { S[dims] -> [rows] } the loops around.
        computed: the arrays that the recurrences around compute: others are used again and again; None without any.
        machine: says what is enough to do for the macro-kernel.
    """
    if found is None or not found.fits_kernel:
        return None
    dims = found.statement.dims
    batch, rows, columns = ([d for d in left if d in group] for group in (found.batch, found.rows, found.columns))
    sums = [d for d in left if d not in found.c_dims]
    if len(batch) + len(rows) + len(columns) + len(sums) != len(left):
        return None  # the same sum in many elements
    if found.a_dims.isdisjoint(found.b_dims.intersection(sums)):
        return None
    if not rows or not columns:
        matrix, used = (found.a, found.a_dims) if rows else (found.b, found.b_dims)
        # A matrix times a vector: only copying the matrix once for many steps pays.
        if computed is None or matrix.array in computed or not (rows or columns) or not used <= set(left):
            return None
        if not _is_the_same(domain, [dims.index(d) for d in used]):
            return None
    if not _distinct(found, domain, around, (*batch, *rows, *columns)):
        return None
    inner = (*rows, *columns, *sums)
    peeled = _peeled(domain, dims, inner, sums)
    blocked = "" if peeled == () else _blocked(domain, dims, inner, (*rows, *columns), machine.stair)
    peeled = () if blocked else peeled
    if peeled is None:
        return None
    sums = [d for d in sums if d not in peeled]
    if not sums or not _worth(domain, dims, (*rows, *columns, *sums), machine.contraction):
        return None
    return ContractionLoops(tuple(batch), peeled, tuple(rows), tuple(columns), tuple(sums), blocked)


def _is_the_same(domain: isl.Set, columns: Sequence[int]) -> bool:
    """Whether some dimensions range over the same points whatever the others are."""
    alone = rest = domain
    for c in range(domain.dim(isl.dim_type.set)):
        if c in columns:
            rest = rest.eliminate(isl.dim_type.set, c, 1)
        else:
            alone = alone.eliminate(isl.dim_type.set, c, 1)
    return bool(alone.intersect(rest).is_subset(domain))


def _distinct(found: SumOfProducts, domain: isl.Set, around: isl.Map, results: Sequence[str]) -> bool:
    """Whether instances of one iteration of the loops around that write the same element differ in the sum only."""
    written = found.accesses[0].as_map().intersect_domain(domain)
    pairs = written.apply_range(written.reverse()).intersect(around.apply_range(around.reverse()))
    positions = [found.statement.dims.index(d) for d in results]
    return all(pairs.is_subset(pairs.equate(isl.dim_type.in_, i, isl.dim_type.out, i)) for i in positions)


def _peeled(domain: isl.Set, dims: Sequence[str], inner: Sequence[str], sums: Sequence[str]) -> tuple[str, ...] | None:
    """The fewest dimensions of the sum that leave a box when they are fixed; None when none do."""
    for count in range(min(len(sums), _PEELED + 1)):
        for some in combinations(sums, count):
            if islx.is_box(domain, [dims.index(d) for d in inner if d not in some]):
                return some
    return None


def _blocked(domain: isl.Set, dims: Sequence[str], inner: Sequence[str], results: Sequence[str], rows: int) -> str:
    """The dimension of the result in each block of which the domain is a box, "" where there is none."""
    free = [dims.index(d) for d in inner]
    return next((d for d in dims if d in results and is_box_in_blocks(domain, free, dims.index(d), rows)), "")


def _worth(domain: isl.Set, dims: Sequence[str], inner: Sequence[str], least: int) -> bool:
    """Whether there is enough to do, as far as extents are known."""
    extents = [islx.extent(domain, dims.index(d)) for d in inner]
    known = [e for e in extents if e is not None]
    return len(known) < len(extents) or prod(known) >= least
