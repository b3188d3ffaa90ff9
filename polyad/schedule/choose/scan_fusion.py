"""Statements around a prefix scan move into its loop: it works on blocks of the scan that are still in cache.

    for t: q[t] = x[t] * x[t]                       for t: q[t] = x[t] * x[t]
    for t: h[t + 1] = a * h[t] + q[t]       ->             h[t + 1] = a * h[t] + q[t]
    for t: y[t] = log(h[t])                                y[t] = log(h[t])
    for t: loss += y[t]                                    loss += y[t]

A recurrence that is linear in one number becomes a prefix scan between vector loops (codegen/loops), so, unlike in
other recurrences, what joins it still runs in vector lanes, and one pass over memory takes the place of many.

A statement joins when

1. it has one loop at most, walks memory one by one along it, and reduces into fixed elements if at all;
2. it needs what the scan computes, or the scan needs it; and nothing has to run between them;
3. its dependences with what is in the loop stay within one iteration; the state may be read one step later;
4. it runs in the same iterations, but for one before or after them, which is split off. A statement that runs once, the
   first state, goes into the one before.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace

import islpy as isl

from polyad.analysis.graph import components, reachable
from polyad.analysis.linear import ITSELF, is_linear
from polyad.ir.affine import Affine
from polyad.ir.expr import Indirect
from polyad.schedule.choose.reassociation import is_short
from polyad.schedule.order.groups import Cluster, tied
from polyad.schedule.state.cycles import following, is_cyclic, preceding
from polyad.schedule.state.equalities import single_dim
from polyad.schedule.state.problem import Problem
from polyad.schedule.tree.marks import LANES

__all__ = ["join_scans"]

Rows = dict[str, Affine]


def join_scans(problem: Problem, clusters: Sequence[Cluster]) -> list[Cluster]:
    """Move statements into the prefix scans among the clusters."""
    current = list(clusters)
    for scan in clusters:
        state = _state(problem, scan)
        if state is None:
            continue
        # Readers of h[t] may come in the loop that computes h[t] or in the next one: whichever lets more of them join.
        rows = max((_Scan(problem, scan, state, current, late).grown() for late in (False, True)), key=len)
        if len(rows) == len(scan.names):
            continue
        names = tuple(problem.listed(rows))
        loop = replace(scan.loops[0], rows={n: rows[n] for n in names}, peeled=True)
        grown = replace(scan, names=names, loops=(loop,))
        current = [grown if c is scan else c for c in current if c is scan or not rows.keys() & {*c.names}]
    return current


def _state(problem: Problem, cluster: Cluster) -> str | None:
    """The statement that computes the next state, if a cluster is a prefix scan."""
    if not cluster.recurrence or len(cluster.loops) != 1 or cluster.loops[0].coincident:
        return None
    inside = problem.only(cluster.names)
    cyclic = [n for n in cluster.names if is_cyclic(problem.only((n,)))]
    alone = len(components(inside.names, following(inside.edges))) == len(cluster.names)
    if len(cyclic) != 1 or not alone or not all(_is_smooth(problem, n, cluster.rows[n]) for n in cluster.names):
        return None
    (state,) = cyclic
    statement, row = problem.facts[state].statement, cluster.rows[state]
    steps = [e.equalities.distance(row, row) for e in problem.only((state,)).edges]
    linear = statement.reduction is None and "float" in statement.body.dtype
    if not linear or set(steps) != {1} or not is_linear(statement.body, {statement.array: ITSELF}):
        return None
    return None if is_short(problem, state, row) else state


def _is_smooth(problem: Problem, name: str, row: Affine) -> bool:
    """Whether a statement runs along a row by its one loop, in vector lanes if only the state is in the way."""
    facts = problem.facts[name]
    statement = facts.statement
    dim = single_dim(row, problem.dims(name))
    accesses = (statement.write, *(r.access for r in statement.reads()))
    if dim is None or problem.order(name).dims != (dim[0],) or any(isinstance(a, Indirect) for a in accesses):
        return False
    if not facts.profile.smooth(dim[0]):
        return False
    if statement.reduction is not None and (
        facts.profile.write[dim[0]] != 0 or statement.reduction not in LANES or "float" not in statement.body.dtype
    ):
        return False
    return facts.domain.coalesce().n_basic_set() == 1


class _Scan:
    """A scan and the statements that join it, one after another."""

    def __init__(self, problem: Problem, scan: Cluster, state: str, clusters: Sequence[Cluster], late: bool):
        self.problem = problem
        self.state = state
        self.late = late
        self.array = problem.facts[state].statement.array
        self.scan = scan
        self.onward, self.backward = (tied(f(problem.edges), clusters) for f in (following, preceding))
        self.free = [c.names[0] for c in clusters if len(c.names) == 1 and not c.recurrence and c.contraction is None]
        self.blocks: Mapping[str, tuple[str, ...]] = {n: c.names for c in clusters for n in c.names}
        self.main = problem.image(state, [scan.rows[state]])

    def grown(self) -> Rows:
        """The rows of all statements in the loop."""
        rows = dict(self.scan.rows)
        changed = True
        while changed:  # what another one stands between joins after that one
            changed = False
            for name in self.free:
                if name in rows or len(rows) == self.problem.machine.scan_statements:
                    continue
                new = self.with_first_states(name, rows)
                if new is not None:
                    rows, changed = new, True
        return rows

    def with_first_states(self, name: str, rows: Rows) -> Rows | None:
        """The rows with those of a statement, and of what runs once between it and the scan."""
        row = self.row(name, rows)
        if row is None or self.problem.facts[name].identity:
            return None
        extended = {**rows, name: row}
        for other in self.between(extended):
            start = self.start(other, extended)
            if start is None:
                return None
            extended[other] = start
        return None if self.between(extended) else extended

    def row(self, name: str, rows: Rows) -> Affine | None:
        """The row of a statement with one loop in step with the others, or None."""
        for edge in self.problem.edges:
            if name == edge.source and edge.sink in rows:
                found = edge.equalities.to_source(rows[edge.sink])
            elif name == edge.sink and edge.source in rows:
                found = edge.equalities.to_sink(rows[edge.source])
            else:
                continue
            if found is None:
                continue
            both = (found + 1, found) if self.late else (found, found + 1)
            candidates = both if edge.array == self.array else (found,)
            fitting = [r for r in candidates if _is_smooth(self.problem, name, r) and self.fits(name, r, rows)]
            near = [r for r in fitting if self.nearly(name, r)]
            if near:
                return next((r for r in near if self.problem.image(name, [r]).is_equal(self.main)), near[0])
        return None

    def nearly(self, name: str, row: Affine) -> bool:
        """Whether a statement would run in the iterations of the scan but for one more, or one less."""
        own, main = self.problem.image(name, [row]), self.main
        own, main = own.intersect_params(main.params()), main.intersect_params(own.params())
        return _is_one(own.subtract(main)) and _is_one(main.subtract(own))

    def start(self, name: str, rows: Rows) -> Affine | None:
        """The row of a statement that runs once, in the iteration before the scan, or None."""
        facts = self.problem.facts[name]
        if self.problem.order(name).dims or facts.statement.array != self.array or facts.statement.reduction:
            return None
        for edge in self.problem.edges:
            if edge.source == name and edge.sink == self.state:
                found = edge.equalities.to_source(rows[self.state])
                if found is None or not self.fits(name, found - 1, rows):
                    continue
                if self.problem.image(name, [found - 1]).is_disjoint(self.main):
                    return found - 1
        return None

    def between(self, rows: Rows) -> list[str]:
        """The statements outside that need the loop and that the loop needs."""
        inside = list(rows)
        outside = {n for m in reachable(inside, self.onward) & reachable(inside, self.backward) for n in self.blocks[m]}
        return self.problem.listed(outside - rows.keys())

    def fits(self, name: str, row: Affine, rows: Rows) -> bool:
        """Whether the dependences let a statement run in the loop along a row."""
        extended = {**rows, name: row}
        for e in self.problem.edges:
            if name in (e.source, e.sink) and e.source in extended and e.sink in extended:
                distance = e.equalities.distance(extended[e.source], extended[e.sink])
                if distance != 0 and not (distance == 1 and e.array == self.array):
                    return False
        return True


def _is_one(steps: isl.Set) -> bool:
    """Whether a set of iterations holds one at most inside of each iteration of the loops around, for all sizes."""
    last = steps.dim(isl.dim_type.set) - 1
    inside = steps.identity().project_out(isl.dim_type.in_, last, 1)  # { [around] -> [around, row] }
    return bool(inside.is_single_valued())
