"""Recurrences run as one where that lets an array be forgotten along time.

    for t: P[t] = f(P[t - 1])                          for t: P[t] = f(P[t - 1])
    for t: x[t] = g(x[t - 1], P[t])          ->               x[t] = g(x[t - 1], P[t])

They join, with what lies between them, where one order of execution serves all, no parallel loop is lost but one over
the steps themselves, and

1. they write one array, as the interior and the border of a state do: one needs another, or none does and time, the
   first index of a temporary, is the same. A border may be no recurrence where it is cheap, writes in each step, and
   nothing is added up in its array; or
2. one reads a temporary that the other computes, and no third one reads, in the same step or the next. Each runs
   through these steps and computes rows: a chain of single numbers may be a prefix scan alone. No product of matrices
   stands between them, which outside is one large product.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

import islpy as isl

from polyad.analysis.graph import reachable
from polyad.analysis.statement_cost import statement_cost
from polyad.schedule.order.groups import Cluster, alone, tied
from polyad.schedule.order.recurrence import RecurrenceLoop, found_loops
from polyad.schedule.state.cycles import following, is_cyclic, preceding
from polyad.schedule.state.problem import Edge, Problem, Rows

__all__ = ["clusters_of"]

_Pair = tuple[Cluster, Cluster]


def clusters_of(problem: Problem) -> list[Cluster]:
    """One cluster for each strongly connected component of the open dependences, but for those that run as one."""
    current = alone(problem)
    refused: set[_Pair] = set()
    while pair := next((p for p in _pairs(problem, current) if p not in refused), None):
        joined = _joined(problem, current, *pair)
        if joined is None:
            refused.add(pair)
        else:
            names = {*joined.names}
            current = [joined if c is pair[1] else c for c in current if c is pair[1] or not names & {*c.names}]
    return current


def _pairs(problem: Problem, clusters: Sequence[Cluster]) -> Iterator[_Pair]:
    """Clusters that may join, those that write one array first."""
    cyclic = [c for c in clusters if c.recurrence]
    for i, first in enumerate(cyclic):
        yield from ((first, c) for c in cyclic[i + 1 :] if _write_one_array(problem, first, c))
        yield from ((first, c) for c in clusters if not c.recurrence and _is_border(problem, c.names[0], first))
    if problem.strategies.sink and not problem.in_sequence:
        home = {n: c for c in clusters for n in c.names}
        found = ((home[e.source], home[e.sink]) for e in problem.edges if _is_kept_for(problem, e, home))
        yield from dict.fromkeys(found)


def _write_one_array(problem: Problem, first: Cluster, second: Cluster) -> bool:
    pairs = [(a, b) for a in first.names for b in second.names if _array(problem, a) == _array(problem, b)]
    if not pairs:
        return False
    after = following(problem.edges)
    if any({*b.names} & reachable(a.names, after) for a, b in ((first, second), (second, first))):
        return True
    temporary = [pair for pair in pairs if all(problem.facts[n].temporary for n in pair)]
    return bool(temporary) and any(_has_time(problem, n) for n in temporary[0])


def _is_border(problem: Problem, name: str, state: Cluster) -> bool:
    """Whether a cheap statement writes elements of a temporary in each step of a recurrence of one sequential loop.

    Sums stay outside, and so does all that writes the arrays they are added up in.
    """
    facts, array = problem.facts[name], _array(problem, name)
    inside = [n for n in state.names if _array(problem, n) == array]
    if not inside or not facts.temporary or not _has_time(problem, name):
        return False
    if sum(not loop.coincident for loop in state.loops) > 1:
        return False
    if statement_cost(facts.statement, problem.machine) > problem.machine.light:
        return False
    adds = any(f.statement.array == array and f.statement.reduction is not None for f in problem.facts.values())
    return not adds and bool(_times(problem, name).is_subset(_times(problem, inside[-1])))


def _times(problem: Problem, name: str) -> isl.Set:
    """The first indices of what a statement writes."""
    written = problem.facts[name].statement.write_relation().intersect_domain(problem.facts[name].domain).range()
    return written.project_out(isl.dim_type.set, 1, written.dim(isl.dim_type.set) - 1)


def _has_time(problem: Problem, name: str) -> bool:
    """Whether a statement has a loop left along the first index of what it writes."""
    written = problem.facts[name].written
    return bool(written) and not written[0].names().isdisjoint(problem.order(name).dims)


def _array(problem: Problem, name: str) -> str:
    return problem.facts[name].statement.array


def _is_kept_for(problem: Problem, edge: Edge, home: dict[str, Cluster]) -> bool:
    """Whether a recurrence computes a temporary for one other alone, which reads it in the same step or near it."""
    first, second = home[edge.source], home[edge.sink]
    if first is second or not (first.recurrence and second.recurrence and problem.facts[edge.source].temporary):
        return False
    readers = {home[n] for e in problem.edges if e.array == edge.array for n in (e.source, e.sink)}
    if any(c.recurrence or c.contraction for c in readers - {first, second}):
        return False
    loops = [(a.rows, b.rows) for a in first.loops for b in second.loops if not (a.coincident and b.coincident)]
    steps = [edge.equalities.distance(a[edge.source], b[edge.sink]) for a, b in loops]
    return any(s is not None and abs(s) <= 1 for s in steps)


def _joined(problem: Problem, clusters: Sequence[Cluster], first: Cluster, second: Cluster) -> Cluster | None:
    """Two clusters, and what lies between them, under the loops of one; None where the rules keep them apart."""
    after, before = (tied(f(problem.edges), clusters) for f in (following, preceding))
    between: set[str] = set()
    for a, b in ((first, second), (second, first)):
        between |= reachable(a.names, after) & reachable(b.names, before)
    members = [c for c in clusters if c is first or c is second or between & {*c.names}]
    inside = problem.only(n for c in members for n in c.names)
    loops = found_loops(inside, single=True)
    if loops is None:
        return None
    steps = next(loop for loop in loops if not loop.coincident)
    cyclic = [c for c in members if c.recurrence]
    share = not {_array(problem, n) for n in first.names}.isdisjoint(_array(problem, n) for n in second.names)
    lost = (c.loops[0].coincident and not _same(c.loops[0], steps, c) for c in cyclic)
    if not loops[0].coincident and (all(lost) if share else any(lost)):
        return None
    if not second.recurrence:
        fits = _is_in_step(problem, loops, second.names[0], first)
    else:
        products = any(not c.recurrence and problem.contraction(c.names[0]) is not None for c in members)
        fits = share or (not products and all(_has_rows(inside, c, steps, loops) for c in cyclic))
    return Cluster(inside.names, tuple(loops), recurrence=True) if fits else None


def _is_in_step(problem: Problem, loops: Sequence[RecurrenceLoop], border: str, state: Cluster) -> bool:
    """Whether a border is written in the one sequential iteration in which the state of its time is."""
    rows = [loop.rows for loop in loops if not loop.coincident]
    names = [border, *(n for n in state.names if _array(problem, n) == _array(problem, border))]
    for sign in (1, -1):
        late = {rows[0][n] - problem.facts[n].written[0] * sign for n in names}
        if len(rows) == 1 and len(late) == 1 and late.pop().is_constant:
            return True
    return False


def _has_rows(problem: Problem, recurrence: Cluster, steps: RecurrenceLoop, loops: Sequence[RecurrenceLoop]) -> bool:
    """Whether a recurrence runs through these steps, and computes more than single numbers in each of them."""
    outer = recurrence.loops[0]
    own = next((loop for loop in recurrence.loops if not loop.coincident), outer)
    if not any(_same(loop, steps, recurrence) for loop in (outer, own)):
        return False
    inside = problem.only(recurrence.names)
    rows: list[Rows] = [loop.rows for loop in loops]
    for loop in loops:
        inside = inside.inside(loop.rows, loop.coincident)
    rows += [loop.rows for loop in found_loops(inside, single=False) or ()] if is_cyclic(inside) else []
    return any(problem.order(n, [r[n] for r in rows]).dims for n in recurrence.names)


def _same(one: RecurrenceLoop, other: RecurrenceLoop, recurrence: Cluster) -> bool:
    """Whether two loops are the same for all statements of a recurrence, but for a shift."""
    return all((one.rows[n] - other.rows[n]).is_constant for n in recurrence.names)
