"""Loops marked `parts` and `prefix`: sums and recurrences that run in another order than one by one.

    for k: s += x[k] * x[k]             parts simd for k: s += x[k] * x[k]
    for t: h[t + 1] = a * h[t] + x[t]   prefix 256 for t: h[t + 1] = a * h[t] + x[t]

The marks ask. Whether a sum has enough work and nothing beside it, and whether a recurrence is linear in one number,
depends on where arrays are stored too, so code generation answers (codegen/lower), and the schedule of a kernel has
the marks of loops that run as they say.
"""

from __future__ import annotations

from collections.abc import Mapping

import islpy as isl

from polyad import islx
from polyad.analysis.linear import ITSELF, Linear, is_linear, linear
from polyad.ir.affine import Affine
from polyad.ir.expr import Indirect
from polyad.schedule.state.problem import Problem, Rows
from polyad.schedule.tree.marks import Kind, PartsMark, PrefixMark, SimdMark

__all__ = ["in_parts", "is_short", "is_small", "prefix"]


def in_parts(problem: Problem, rows: Rows, mark: Kind | None) -> Kind | None:
    """The mark of an acyclic loop around all statements of the problem: with `parts`, where it may have that."""
    if not problem.strategies.parts or mark not in (None, SimdMark()):
        return mark
    in_share = problem.in_parallel and not any(problem.around.values())
    if in_share or not any(_reduces(problem, n, row) for n, row in rows.items()):
        return mark
    if not _is_single(problem, dict.fromkeys(rows, ())) or _is_single(problem, {n: (r,) for n, r in rows.items()}):
        return mark
    return mark if is_small(problem) else PartsMark(simd=mark == SimdMark())


def prefix(problem: Problem, rows: Rows) -> PrefixMark | None:
    """The mark of an innermost sequential loop around all statements of the problem, None where it can have none.

    One number may be carried from step to step; statements that run in different iterations may compute it.
    """
    if not problem.strategies.prefix:
        return None
    carried = {e.array for e in problem.edges if e.equalities.distance(rows[e.source], rows[e.sink]) != 0}
    if len(carried) != 1:
        return None
    writers = [n for n in rows if problem.facts[n].statement.array in carried]
    linear = any(
        _is_linear(problem, n) and not is_short(problem, n, rows[n]) and not _is_single(problem, {n: (rows[n],)})
        for n in writers
    )
    return PrefixMark(problem.machine.scan_steps) if linear else None


def _is_linear(problem: Problem, name: str) -> bool:
    """Whether what a statement computes is linear in what it computed a step before."""
    state = problem.facts[name].statement
    if state.reduction is not None or state.body.dtype not in ("float32", "float64"):
        return False
    values: dict[str, Linear | None] = {state.array: ITSELF}
    others = [f.statement for n, f in problem.facts.items() if n != name and f.statement.reduction is None]
    for _ in others:  # one may read another that is listed behind it
        for other in others:
            found = linear(other.body, values)
            if found is None or (found.mul is not None and other.array not in values):
                values[other.array] = found
    return is_linear(state.body, values)


def is_short(problem: Problem, name: str, row: Affine) -> bool:
    """Whether a recurrence has so few steps along a row that one by one is as fast."""
    every = problem.image(name, [row])
    steps = islx.extent(every, every.dim(isl.dim_type.set) - 1) if every.is_bounded() else None
    return steps is not None and steps < problem.machine.long


def is_small(problem: Problem) -> bool:
    """Whether all sizes are numbers, and threads would not pay for twice the work, which is estimated here."""
    work = [facts.work(problem.machine) for facts in problem.facts.values()]
    return None not in work and 2 * sum(w for w in work if w is not None) <= problem.machine.thread_start


def _is_single(problem: Problem, further: Mapping[str, tuple[Affine, ...]]) -> bool:
    """Whether each statement runs in one iteration of the loops around it and of further ones."""
    return all(problem.image(name, rows).is_singleton() for name, rows in further.items())


def _reduces(problem: Problem, name: str, row: Affine) -> bool:
    """Whether iterations of a loop contribute to one element."""
    statement = problem.facts[name].statement
    access, dims = statement.write, row.names()
    if statement.reduction is None or isinstance(access, Indirect):
        return False
    return not any(d in dims and access.involves_dims(isl.dim_type.in_, k, 1) for k, d in enumerate(statement.dims))
