"""Layouts of temporaries for vectors: the dimension that vectors run along comes last.

    y[n, k, i] += Q[k, i, j] * x[n, j]      j <= i < 10: y and x step through memory along n, rows of j are short

A sum over a short stretch whose length depends on other dimensions fills no vector, while its results along n are as
many as one likes, all alike. So n moves to the end: of y, of what is computed from y for each n, and of a copy of x:

    y[k, i, n] += Q[k, i, j] * x_columns[j, n]

The same where each of many results reads all of a short row: f(x[n, 0] - z[m, 0], x[n, 1] - z[m, 1]) for all pairs.

Nothing else changes: an array is the same function of its index under another numbering of memory. What is
contiguous along which dimension is then found by the scheduler (schedule/state/loop_order.py).

What must hold: every access to an array is renumbered alike; an array that is accessed through data, or by a scan,
stays.
"""

from __future__ import annotations

import islpy as isl

from polyad.analysis.contraction import sums_products
from polyad.analysis.plain_axes import plain_axes, separable, used_dims
from polyad.ir.expr import Access
from polyad.ir.program import Program
from polyad.ir.statement import Statement
from polyad.machine import MACHINE, Machine
from polyad.transforms.passes.layout.columns_last import columns_last, innermost, only_affine
from polyad.transforms.rewrite.extents import dimension_range
from polyad.transforms.rewrite.inverse_access import unit_dimension

__all__ = ["vector_layout"]

UNKNOWN = 1 << 62
"""The extent of a dimension that is no number."""


def vector_layout(program: Program, machine: Machine = MACHINE) -> Program:
    """Renumber the memory around sums over short stretches of varying length, and of short rows that are read whole.

    Makes smaller: the number of memory accesses that no vector instruction can make.

    Args:
        program: with explicit identity definitions (transforms.initialise).
        machine: says which sums are short, and which dimensions are long enough for vectors.
    """
    seeds = [(found, s) for s in program.statements if (found := _vector_dimension(program, s, machine)) is not None]
    last: dict[str, int] = {}
    movable = {n for n in only_affine(program) if program.arrays[n].is_movable} if seeds else set()
    settled: set[str] = set()  # what a longer sum reads stays as it reads it: rows of Q, for each of many points
    for (_, column), statement in sorted(seeds, key=lambda seed: -seed[0][0]):
        own = {statement.array, *(r.array for r in statement.reads())}
        if own.isdisjoint(last) and own.isdisjoint(settled):
            _mark(statement, column, last, movable | set(program.inputs))
            _spread(program, last, movable)
            settled |= own
    if not last:
        return program
    return columns_last(program, last)


def _vector_dimension(program: Program, s: Statement, machine: Machine) -> tuple[int, int] | None:
    """(extent, dimension): along which vectors should run, of a statement that no vector fits as memory lies."""
    accesses = s.accesses()
    if s.domain.n_basic_set() != 1 or not all(isinstance(a, isl.MultiAff) for _, a in accesses):
        return None
    if s.reduction is None:
        return _pair_dimension(program, s, machine)
    if not sums_products(s):
        return None
    plain = [plain_axes(a, len(s.dims)) for _, a in accesses]
    alone = separable(s)
    outputs = used_dims(s.write)
    reductions = [d for d in range(len(s.dims)) if d not in outputs]
    if not reductions or any(d in alone or not _short(program, s, d, machine.short_sum) for d in reductions):
        return None
    if any(_contiguous(program, accesses, d) and (d in alone or _is_long(program, s, d, machine)) for d in outputs):
        return None
    found: list[tuple[int, int]] = []
    for d in sorted(outputs & alone):
        if all(p[d] is not None for p in plain) and _is_long(program, s, d, machine):
            extent = _extent(program, s, d)
            found.append((UNKNOWN if extent is None else extent, d))
    return max(found, key=lambda f: f[0]) if found else None


def _pair_dimension(program: Program, s: Statement, machine: Machine) -> tuple[int, int] | None:
    """(extent, dimension): along which memory is written, where what strides there is read for many other indices.

    K[i, j] = f(x[i, 0], y[j, 0], x[i, 1], y[j, 1]): y strides along j, and is read for each i.
    """
    accesses = [(n, a) for n, a in s.accesses() if isinstance(a, isl.MultiAff)]
    written = accesses[0][1]
    rank = written.dim(isl.dim_type.out)
    unit = unit_dimension(written.get_aff(rank - 1)) if rank else None
    if unit is None or unit[0] not in separable(s):
        return None
    d, extent = unit[0], _extent(program, s, unit[0])
    strided = [a for n, a in accesses if not _contiguous(program, [(n, a)], d)]
    if not strided or (extent is not None and extent < machine.long):
        return None
    if any(plain_axes(a, len(s.dims))[d] is None or not used_dims(a) < used_dims(written) for a in strided):
        return None
    return UNKNOWN if extent is None else extent, d


def _mark(s: Statement, d: int, last: dict[str, int], movable: set[str]) -> list[str]:
    """Note for all movable arrays of a statement that dimension `d` goes last; which of them are new."""
    new = []
    for array, access in s.accesses():
        if array in last or array not in movable or not isinstance(access, isl.MultiAff):
            continue
        position = plain_axes(access, len(s.dims))[d]
        if position is not None and position >= 0:
            last[array] = position
            new.append(array)
    return new


def _spread(program: Program, last: dict[str, int], movable: set[str]) -> None:
    """Along with an array goes what is computed from it, and what it is computed from, for each element along it."""
    waiting = [array for array in last if array not in program.inputs]
    touching: dict[str, list[tuple[Statement, isl.MultiAff]]] = {}
    for s in program.statements:
        for array, access in s.accesses():
            if isinstance(access, isl.MultiAff):
                touching.setdefault(array, []).append((s, access))
    while waiting:
        array = waiting.pop()
        for s, access in touching[array]:
            plain = plain_axes(access, len(s.dims))
            for d in [d for d, position in enumerate(plain) if position == last[array]]:
                waiting += _mark(s, d, last, movable)


def _contiguous(program: Program, accesses: list[tuple[str, Access]], d: int) -> bool:
    """Whether each access stays in place along a dimension or walks memory one by one."""
    return all(
        isinstance(a, isl.MultiAff) and plain_axes(a, d + 1)[d] in (-1, innermost(program.arrays[n]))
        for n, a in accesses
    )


def _extent(program: Program, s: Statement, d: int) -> int | None:
    """The extent of a dimension where it is a number."""
    found = dimension_range(s, d, program.arrays, program.context)
    return found[1].constant if found is not None and found[1].is_constant else None


def _is_long(program: Program, s: Statement, d: int, machine: Machine) -> bool:
    """Whether a dimension is long, so that vectors along it are mostly full where others cut it."""
    extent = _extent(program, s, d)
    return extent is None or extent >= machine.long


def _short(program: Program, s: Statement, d: int, short: int) -> bool:
    extent = _extent(program, s, d)
    return extent is not None and extent <= short
