"""Wavefronts: one skewed loop that carries all that two loops would carry, so that what is inside of it is free.

A recurrence in two dimensions, R[i, j] from R[i - 1, j] and R[i, j - 1], has a loop along i and inside of it one along
j, both sequential: nothing is left to be vectorised. Along w = i + j alone it is sequential too, and the elements of
one diagonal do not need each other:

    for i            for w = i + j
      for j            simd for j

Wherever a loop leaves a second sequential loop inside of it, rows of the form factor * first +- dimension are tried,
carried from statement to statement and retimed like any other row. What was found is legal by the distances of all
dependences, and accepted if it leaves no cycle. It pays when

- the two loops leave no other loop, or only short ones of constant length, to run in vector lanes; and
- what an iteration computes outweighs the accesses to inputs and outputs, which the diagonal strides through
  (temporaries are stored along it: codegen/storage/layouts.py).
"""

from __future__ import annotations

from collections.abc import Sequence
from itertools import product
from math import prod

from polyad import islx
from polyad.ir.affine import Affine
from polyad.ir.expr import Indirect
from polyad.schedule.order.sequential_row import SEARCH_LIMIT, complete_rows, least_distance
from polyad.schedule.state.cycles import cycles
from polyad.schedule.state.directions import access_direction, loop_direction
from polyad.schedule.state.problem import Problem, Rows
from polyad.transforms.rewrite.cost import cost

__all__ = ["wavefront_row"]

_FACTORS = (1, 2)


def wavefront_row(problem: Problem, first: Rows) -> Rows | None:
    """A row that carries more than the sequential row `first` of the same problem: every cycle; None if none pays."""
    inside = problem.inside(first, False)
    cyclic = cycles(inside)
    if not cyclic or any(_free_iterations(c) >= problem.machine.lanes for c in cyclic):
        return None
    budget = [SEARCH_LIMIT]
    terms = {n: Affine(first[n].terms, 0) for n in problem.names}
    across = {n: _across(inside, n) for n in problem.names}
    root = max((n for c in cyclic for n in c.names), key=lambda n: len(problem.order(n).dims))  # borders know less
    for dim in inside.order(root).dims:
        extent = islx.extent(problem.facts[root].domain, problem.dims(root).index(dim))
        for factor, sign in product(_FACTORS, (1, -1)):
            if extent is not None and extent <= factor:
                continue  # one iteration after the other: nothing is free
            own = {n: tuple(terms[n] * factor + d * sign for d in across[n]) for n in problem.names}
            start = {root: terms[root] * factor + Affine.of(dim) * sign}
            for rows in complete_rows(problem, start, own, False, budget):
                if not cycles(problem.inside(rows, False)):
                    rows = _aligned(problem, rows)
                    return rows if _pays(problem, rows) else None
    return None


def _across(inside: Problem, name: str) -> tuple[Affine, ...]:
    """The dimensions of a statement that no loop around counts, those included that one number fills; and none at all.

    A border runs along the same diagonals as the interior does, whatever it reads: where it has one index less, and
    where that index is a number.
    """
    counted = {d for row in inside.around[name] for d in row.names()}
    return *(Affine.of(d) for d in inside.dims(name) if d not in counted), Affine.of(0)


def _free_iterations(cycle: Problem) -> int:
    """Iterations of the loops that a statement has beside one sequential loop, the least over all; many if unknown."""
    every = []
    for n, facts in cycle.facts.items():
        found = (islx.extent(facts.domain, cycle.dims(n).index(d)) for d in cycle.order(n).dims)
        extents = sorted(cycle.machine.lanes if e is None else e for e in found)
        every.append(prod(extents[:-1]))  # the longest is the sequential one
    return min(every)


def _pays(problem: Problem, rows: Rows) -> bool:
    """Whether computing in vectors is worth the strided accesses."""
    inside = problem.inside(rows, False)
    computed = sum(cost(f.statement.body, problem.machine) for f in problem.facts.values())
    strided = 0
    for name, facts in problem.facts.items():
        dims = inside.order(name).dims
        if not dims:
            continue
        statement = facts.statement
        step = loop_direction(statement.dims, inside.around[name], Affine.of(dims[-1]))
        if step is None:
            return False
        for array, access in ((statement.array, statement.write), *((r.array, r.access) for r in statement.reads())):
            if isinstance(access, Indirect):
                return False
            moves = access_direction(access, statement.dims, step)
            strided += array not in problem.temporaries and not _is_smooth(moves)
    return computed >= problem.machine.strided * strided


def _is_smooth(moves: Sequence[int] | None) -> bool:
    return moves is not None and not any(moves[:-1]) and (not moves or moves[-1] in (0, 1))


def _aligned(problem: Problem, rows: Rows) -> Rows:
    """Delay statements that need several elements of one iteration: they would run in a later loop of it.

    Dependences of distance zero stay within an iteration. From one element to one is good: a register.
    """
    rows = dict(rows)
    for name in problem.names:
        apart = _apart(problem, rows, name)
        for delay in (1, 2) if apart else ():
            moved = {**rows, name: rows[name] + delay}
            found = _apart(problem, moved, name)
            if found is None:
                break
            if apart is not None and found < apart:
                apart, rows = found, moved
    return rows


def _apart(problem: Problem, rows: Rows, name: str) -> int | None:
    """With how many others a statement shares iterations, but no loop; None if a dependence would point backwards."""
    total = 0
    for e in problem.edges:
        if name not in (e.source, e.sink):
            continue
        least = least_distance(problem, e, rows[e.source], rows[e.sink])
        if least is None or least < 0:
            return None
        if least == 0 and e.source != e.sink and (same := problem.within(e, rows)) is not None:
            inner = problem.order(e.source, [rows[e.source]]).dims
            total += not all(same.equalities.to_sink(Affine.of(d)) is not None for d in inner)
    return total
