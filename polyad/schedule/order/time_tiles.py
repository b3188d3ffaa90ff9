"""Tiles in space and time: steps of a stencil done again and again on rows that are in cache.

A step u[t, i] = f(u[t - 1, i - 1 .. i + 1]) that reads more than fits into cache waits for memory. Row i of step t
needs rows up to i + 1 of step t - 1; of rows counted along i + t it needs none that comes later. So bands of those
rows, for some steps at a time, may run one after the other:

    for t                     for wave
      for i                     parallel for a                      steps a * S ... a * S + S - 1
                       ->         for t in a                        b = wave - a
                                    for i with i + t in band b      rows  b * B ... b * B + B - 1

A tile (a, b) needs tiles (a, b - 1), (a - 1, b) and (a - 1, b - 1) at most, so tiles of one wave a + b are free.

A step that needs what was computed many steps before, as each of a Cholesky factorisation needs all of them, is none of
a stencil. Its sums are long and stay in registers; in a tile they would not, as tiles of a wave write one array
(codegen/storage/accumulators.py).

The slope is such that no dependence points backwards along i + slope * t, nor would one from a read of an element to
the write that takes its slot: a circular buffer needs no more slots than before (codegen/storage/folding.py proves it).

Source: M. Wolf, M. Lam, A data locality optimizing algorithm, 1991 (skewing, then tiling); L. Lamport, The parallel
execution of DO loops, 1974 (the waves).
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from math import prod

from polyad import islx
from polyad.ir.affine import Affine
from polyad.ir.element_types import item_bytes
from polyad.schedule.order.sequential_row import SEARCH_LIMIT, complete_rows, least_distance, retimed
from polyad.schedule.state.problem import Edge, Problem, Rows

__all__ = ["time_tiles"]

_SLOPES = (1, 2)


def time_tiles(problem: Problem, steps: Rows) -> tuple[Rows, Rows] | None:
    """(waves one after the other, tiles of one wave at the same time); None where they are not legal or do not pay.

    Args:
        problem: the statements of a recurrence.
        steps: its sequential loop, around all of them.
    """
    if not problem.strategies.time_tiles or problem.in_parallel or problem.in_sequence:
        return None
    inside = problem.inside(steps, False)
    loops = {n: inside.order(n).dims for n in problem.names}
    root = max(problem.names, key=lambda n: len(loops[n]))
    band = _rows_of_band(problem, root, loops[root])
    if band is None:
        return None
    first = {n: steps[n] // problem.machine.tile_steps for n in problem.names}
    for slope in _SLOPES:
        rows = _slanted(problem, steps, loops, root, slope)
        if rows is None or not _one_at_a_time(problem, steps, rows, slope):
            continue
        if _slots_suffice(problem, steps, rows, slope):
            return {n: first[n] + rows[n] // band for n in problem.names}, first
    return None


def _slanted(problem: Problem, steps: Rows, loops: Mapping[str, Sequence[str]], root: str, slope: int) -> Rows | None:
    """Rows along i + slope * t: i by its name if all statements have it, else as the dependences tell."""
    slant = {n: Affine(steps[n].terms, 0) * slope for n in problem.names}
    across = loops[root][0]
    if all(across in problem.dims(n) for n in problem.names):
        found = retimed(problem, {n: slant[n] + Affine.of(across) for n in problem.names})
        if found is not None:
            return found
    along = {n: tuple(slant[n] + Affine.of(d) for d in loops[n]) for n in problem.names}
    return next(complete_rows(problem, {root: along[root][0]}, along, True, [SEARCH_LIMIT]), None)


def _rows_of_band(problem: Problem, root: str, loops: Sequence[str]) -> int | None:
    """How many rows the cache has for a band; None where tiles do not pay, or extents are sizes."""
    facts = problem.facts[root]
    extents = [islx.extent(facts.domain, problem.dims(root).index(d)) for d in problem.dims(root)]
    spans = dict(zip(problem.dims(root), extents, strict=True))
    if not loops or any(e is None for e in extents):
        return None
    rows, *row = (spans[d] or 0 for d in loops)
    # The written array has a slot of its own, beside that which is read.
    arrays = 1 + len({r.array for r in facts.statement.reads()})
    row_bytes = prod(row) * arrays * item_bytes(facts.statement.body.dtype)
    steps = prod(e or 0 for e in extents) // (rows * prod(row))
    machine = problem.machine
    band = machine.cache // row_bytes - machine.tile_steps
    pays = rows * row_bytes >= machine.outgrown and steps >= 2 * machine.tile_steps and band >= machine.tile_steps
    return band if pays else None


def _one_at_a_time(problem: Problem, steps: Rows, rows: Rows, slope: int) -> bool:
    """Whether contributions to one element are never in two tiles of a wave.

    Those of one step are in tiles of the same steps. Where two differ by steps alone, the later one is in no earlier
    tile either way.
    """
    across = {n: rows[n] - steps[n] * slope for n in problem.names}
    return all(
        e.equalities.distance(steps[e.source], steps[e.sink]) == 0
        or e.equalities.distance(across[e.source], across[e.sink]) == 0
        for e in problem.conflicts
    )


def _slots_suffice(problem: Problem, steps: Rows, rows: Rows, slope: int) -> bool:
    """Whether elements may have the slots that they have without tiles.

    A stencil reaches no further back than across. With m slots, row i of step t + m takes the place of row i of step t,
    slope * m rows later: no read may be further.
    """
    slots: dict[str, int] = {}
    for e in problem.edges:
        apart = _greatest_distance(problem, e, steps)
        if apart is None or apart > problem.machine.border:
            return False
        slots[e.array] = max(slots.get(e.array, 1), apart + 1)
    reach = [(slots[e.array], _greatest_distance(problem, e, rows)) for e in problem.edges]
    return all(r is not None and r <= slope * m for m, r in reach)


def _greatest_distance(problem: Problem, edge: Edge, rows: Rows) -> int | None:
    least = least_distance(problem, edge, -rows[edge.source], -rows[edge.sink])
    return None if least is None else -least
