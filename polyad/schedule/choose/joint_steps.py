"""Joint steps: recurrences run in one loop where one reads, in step, what another computes.

    for t: P[t] = f(P[t - 1])                          for t: P[t] = f(P[t - 1])
    for t: x[t] = g(x[t - 1], P[t])          ->               x[t] = g(x[t - 1], P[t])

In loops of their own the first keeps P for all steps. In one loop a step of it is enough, and is still in cache.

Recurrences join when

1. what one computes, a temporary, is read by them alone, so that its history is forgotten;
2. one loop along single dimensions orders the steps of both, and everything between them stays within a step, or comes
   one later;
3. each computes rows in a step: a chain of single numbers may be a prefix scan alone, or run beside others of its kind;
   and no product of matrices stands between them, which outside is one large product;
4. each runs through these steps already; no parallel loop is lost but one over the steps themselves.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence

from polyad.analysis.graph import reachable
from polyad.ir.affine import Affine
from polyad.schedule.order.groups import Cluster, tied
from polyad.schedule.order.recurrence import RecurrenceLoop, found_loops
from polyad.schedule.state.cycles import following, is_cyclic, preceding
from polyad.schedule.state.problem import Edge, Problem, Rows

__all__ = ["join_steps"]


def join_steps(problem: Problem, clusters: Sequence[Cluster]) -> list[Cluster]:
    """Join recurrences among the clusters by the rules above until nothing more can be joined."""
    current = list(clusters)
    if problem.in_sequence:
        return current
    joined = True
    while joined:
        joined = False
        for first, second in _pairs(problem, current):
            new = _joined(problem, current, first, second)
            if new is not None:
                gone = {*new.names}
                current = [new if c is second else c for c in current if c is second or not gone & {*c.names}]
                joined = True
                break
    return current


def _pairs(problem: Problem, clusters: Sequence[Cluster]) -> list[tuple[Cluster, Cluster]]:
    """Recurrences of which the second reads temporaries that the first computes, and nobody else reads."""
    home = {n: c for c in clusters for n in c.names}
    readers: dict[str, set[Cluster]] = {}
    for e in problem.edges:
        readers.setdefault(e.array, set()).update((home[e.source], home[e.sink]))
    found: dict[tuple[Cluster, Cluster], None] = {}
    for e in problem.edges:
        first, second = home[e.source], home[e.sink]
        if first is second or not (first.recurrence and second.recurrence):
            continue
        others = [c for c in readers[e.array] - {first, second} if c.recurrence or c.contraction]
        if problem.facts[e.source].temporary and not others and _are_near(e, first, second):
            found[first, second] = None
    return list(found)


def _are_near(edge: Edge, first: Cluster, second: Cluster) -> bool:
    """Whether one reads of the other what is of the same step or of one near it, along a loop that orders steps."""
    loops = [(a, b) for a in first.loops for b in second.loops if not (a.coincident and b.coincident)]
    steps = [edge.equalities.distance(a.rows[edge.source], b.rows[edge.sink]) for a, b in loops]
    return any(s is not None and abs(s) <= 1 for s in steps)


def _joined(problem: Problem, clusters: Sequence[Cluster], first: Cluster, second: Cluster) -> Cluster | None:
    """Two recurrences, and what lies between them, under the loops of one; None where the rules keep them apart."""
    after, before = following(problem.edges), preceding(problem.edges)
    between = reachable(first.names, tied(after, clusters)) & reachable(second.names, tied(before, clusters))
    members = [c for c in clusters if c is first or c is second or between & {*c.names}]
    names = {n for c in members for n in c.names}
    if any(problem.contraction(c.names[0]) is not None for c in members if not c.recurrence):
        return None
    inside = problem.only(names)
    loops = found_loops(inside, single=True)
    if loops is None or not all(_has_steps(c, loops) and _has_rows(inside, c, loops) for c in members if c.recurrence):
        return None
    home = {n: c for c in members for n in c.names}
    for e in inside.edges:
        if home[e.source] is not home[e.sink] and not _in_step(loops, e.equalities.distance, e.source, e.sink):
            return None
    return Cluster(inside.names, tuple(loops), recurrence=True)


def _in_step(
    loops: Sequence[RecurrenceLoop], distance: Callable[[Affine, Affine], int | None], source: str, sink: str
) -> bool:
    """Whether a dependence stays within one step of the sequential loop, or reaches the next one."""
    steps = next(loop for loop in loops if not loop.coincident)
    return distance(steps.rows[source], steps.rows[sink]) in (0, 1)


def _has_steps(recurrence: Cluster, loops: Sequence[RecurrenceLoop]) -> bool:
    """Whether a recurrence runs through the steps of the new loops already, in parallel or in sequence.

    What else it has in parallel is then one of the new loops, too.
    """
    steps = next(loop for loop in loops if not loop.coincident)
    outer = recurrence.loops[0]
    own = next((loop for loop in recurrence.loops if not loop.coincident), outer)
    found = [loop for loop in (outer, own) if _same(loop, steps, recurrence)]
    return bool(found) and (not outer.coincident or found[0] is outer or loops[0].coincident)


def _has_rows(problem: Problem, recurrence: Cluster, loops: Sequence[RecurrenceLoop]) -> bool:
    """Whether a recurrence computes more than single numbers, one after the other, in each of the steps."""
    inside = problem.only(recurrence.names)
    rows: list[Rows] = []
    for loop in loops:
        rows.append(loop.rows)
        inside = inside.inside(loop.rows, loop.coincident)
    if is_cyclic(inside):
        found = found_loops(inside, single=False)
        rows += [loop.rows for loop in found or ()]
    return any(problem.order(n, [r[n] for r in rows]).dims for n in recurrence.names)


def _same(one: RecurrenceLoop, other: RecurrenceLoop, recurrence: Cluster) -> bool:
    """Whether two loops are the same for all statements of a recurrence, but for a shift."""
    return all((one.rows[n] - other.rows[n]).is_constant for n in recurrence.names)
