"""Sums over everything are made of sums over rows.

    s += f(i, j, k)      ->      rows[i, j] += f(i, j, k);    s += rows[i, j]

A sum of all elements into one number is one sequential loop nest: it cannot share a parallel loop with what computes
the elements, which are then written to memory and read again. Sums over rows can; and they are the same sums for any
number of threads.

What must hold: the domain is a box, so that every row has the same terms; each row that is added up has its zero first.
"""

from __future__ import annotations

import islpy as isl

from polyad.analysis.plain_axes import plain_axes, separable
from polyad.ir.affine import Affine
from polyad.ir.program import Program
from polyad.ir.statement import Statement
from polyad.machine import MACHINE, Machine
from polyad.transforms.rewrite.array_graph import array_components
from polyad.transforms.rewrite.extents import dimension_range
from polyad.transforms.rewrite.sums.sums_in_rows import Rows, sums_in_rows

__all__ = ["row_sums"]


def row_sums(program: Program, machine: Machine = MACHINE) -> Program:
    """Split sums over all elements of an array that is computed elsewhere than in a recurrence.

    Makes smaller: memory, where the elements are of no other use than in loops that may be fused with the sums; and
    the number of statements that run on one thread.

    Args:
        program: with explicit identity definitions (transforms.initialise).
        machine: a row is no shorter than its long loops: the array of sums is then that much smaller, and
            as many rows as a border has may be missing at the beginning.
    """
    local = _pointwise(program)

    def rows(s: Statement) -> Rows | None:
        ranges = _ranges(program, s, local, machine)
        return None if ranges is None else (s, ranges)

    return sums_in_rows(program, rows)


def _pointwise(program: Program) -> set[str]:
    """The temporaries that are computed element by element, in no recurrence."""
    recurrent = {a for c in array_components(program) if c.recurrent for a in c.arrays}
    return {
        array
        for array, writers in program.writers().items()
        if program.arrays[array].is_movable and array not in recurrent and all(s.reduction is None for s in writers)
    }


def _ranges(program: Program, s: Statement, local: set[str], machine: Machine) -> list[tuple[Affine, Affine]] | None:
    """(low, extent) of the dimensions that count rows, for a sum over all elements of a box; None for any other."""
    if s.reduction != "sum" or program.arrays[s.array].shape or len(s.dims) < 2 or s.domain.n_basic_set() != 1:
        return None
    reads = [r for r in s.reads() if r.array in local and isinstance(r.access, isl.MultiAff)]
    if not any(plain_axes(r.access, len(s.dims)) == list(range(len(s.dims))) for r in reads):
        return None
    if len(separable(s)) != len(s.dims):
        return None
    found = [dimension_range(s, d, program.arrays, program.context) for d in range(len(s.dims))]
    ranges = [r for r in found if r is not None]
    if len(ranges) != len(found) or (ranges[-1][1].is_constant and ranges[-1][1].constant < machine.long):
        return None
    # Rows keep their numbers, where the array then has a few unused elements at most.
    return [
        (Affine(), low + extent) if low.is_constant and 0 <= low.constant <= machine.border else (low, extent)
        for low, extent in ranges[:-1]
    ]
