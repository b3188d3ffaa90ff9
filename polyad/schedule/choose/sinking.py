"""Sinking: acyclic statements that move into the loops of a recurrence.

Identity definitions move in beside their contributions, and so do inputs to which a recurrence of rows adds up: the
step that writes them finds them in cache, and memory holds one step of the sums. Everything else moves only for memory:
a projection `xw[t] = x[t] W` that stands before a scan is one large matrix product, but it keeps all time steps; a
consumer `ys[t] = h[t]` that stands after it keeps all states. So, all or nothing:

- consumers: statements after the recurrence that read it in step with its loops, and read nothing that still has to be
  computed elsewhere, are candidates, and so are their consumers; not so matrix products that sum over its steps (the
  gradients of weights), which would write all of their result in every step, nor what would only stride through memory
  there, and reads nothing that could be forgotten;
- if with them no temporary of the recurrence is read from outside, except at its last few steps, storage along time can
  be folded: these consumers move in, and with them the producers before the recurrence whose arrays are temporaries
  that only the recurrence reads, in step;
- else some history is stored anyway (the gradient of a scan does that) and all of them stay outside, in large loops;
  but along a wavefront, sums of what an iteration has just computed move in (the gradients of element-wise weights):
  outside they would read all of it from memory once more. Contractions have better use for their operands;
- a program that computes values again rather than keep them (checkpointed scans in reverse) does so by arrays: the
  consumers of a temporary move in where without them all of its history is stored, also where what they compute is
  stored then: the gradient by the inputs of a scan, the outputs of a layer that another layer reads.

A statement is in step when its rows can be carried along its dependences to equal those of the recurrence (a consumer's
may come one later), it runs in the same iterations (up to a few steps, which are split off), and no reduction of it
crosses the recurrence's parallel loop: a scalar loss summed over the batch stays outside, the batch stays parallel, and
the states are kept.
"""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from collections.abc import Set as AbstractSet
from dataclasses import replace

import islpy as isl

from polyad import islx
from polyad.analysis.graph import reachable
from polyad.ir.affine import Affine
from polyad.schedule.order.groups import Cluster, keeps_contributions, tied
from polyad.schedule.state.cycles import following, preceding
from polyad.schedule.state.problem import Edge, Problem, row_relation

__all__ = ["sink"]

_START = "define->contribute"

Aligned = dict[str, tuple[Affine, ...]]  # statement -> its rows of the recurrence's loops


def sink(problem: Problem, clusters: Sequence[Cluster]) -> list[Cluster]:
    """Move statements into the recurrences among the clusters."""
    current = list(clusters)
    recurrences = [c for c in clusters if c.recurrence]
    for n, recurrence in enumerate(recurrences, 1):
        growth = _Growth(problem, recurrence, current)
        grown = growth.grow()
        left = _needed_by(problem, recurrences[n:], current, set(grown.names))
        if left and growth.forgets() and (less := _Growth(problem, recurrence, current, left)).forgets():
            grown = less.grow()
        inside = set(grown.names)
        current = [grown if c is recurrence else c for c in current if c is recurrence or not inside & set(c.names)]
    return current


def _needed_by(problem: Problem, others: Sequence[Cluster], clusters: Sequence[Cluster], taken: set[str]) -> set[str]:
    """Those of some statements that read a temporary of another recurrence, and could join that one instead."""
    found: set[str] = set()
    for other in others:
        facts = [problem.facts[n] for n in other.names]
        written = {f.statement.array for f in facts if f.temporary}
        reads = {n for n in taken if written & {r.array for r in problem.facts[n].statement.reads()}}
        found |= reads and reads & set(_Growth(problem, other, clusters).grow().names)
    return found


class _Growth:
    """One recurrence and the single statements that join it.

    What has to run before or after it is a matter of clusters: another recurrence runs as a whole, with all that joined
    it before.
    """

    def __init__(
        self, problem: Problem, recurrence: Cluster, clusters: Sequence[Cluster], left: AbstractSet[str] = frozenset()
    ):
        self.problem = problem
        self.recurrence = recurrence
        self.free = {n for c in clusters if not c.recurrence for n in c.names if len(c.names) == 1} - left
        rows = [(n, [loop.rows[n] for loop in recurrence.loops]) for n in recurrence.names]
        # A scan of single numbers runs step by step: what joins it loses its vectors.
        self.few = problem.machine.stray_steps if any(problem.order(n, found).dims for n, found in rows) else 0
        self.after, self.before = following(problem.edges), preceding(problem.edges)
        self.later = reachable(recurrence.names, tied(self.after, clusters))
        self.backwards = tied(self.before, clusters)

    def _start(self) -> Aligned:
        return {n: tuple(loop.rows[n] for loop in self.recurrence.loops) for n in self.recurrence.names}

    def forgets(self) -> bool:
        """Whether its consumers let the history of its temporaries be forgotten."""
        return not self._keeps_history(self._consumers(self._start()))

    def grow(self) -> Cluster:
        rows = self._start()
        with_consumers = self._consumers(rows)
        if not self._keeps_history(with_consumers):
            rows = self._producers(with_consumers, everything=True)
        else:
            rows = self._forgetting(rows, with_consumers) if self.problem.frugal else rows
            rows = self._producers(self._sums(rows), everything=self.problem.frugal)
        names = tuple(self.problem.listed(rows))
        peeled = any(not self._further(n, rows[n]).is_empty() for n in rows if n not in self.recurrence.names)
        last = len(self.recurrence.loops) - 1
        loops = tuple(
            replace(loop, rows={n: rows[n][i] for n in names}, peeled=peeled and i == last)
            for i, loop in enumerate(self.recurrence.loops)
        )
        return replace(self.recurrence, names=names, loops=loops)

    def _consumers(self, rows: Aligned) -> Aligned:
        rows = dict(rows)
        for name in self.problem.listed(self.later & self.free):
            ready = all(b in rows or b not in self.later for b in self.before[name])
            if not ready or name in rows:
                continue
            aligned = self._align(name, rows)
            if aligned is None or self._is_product_over(name, aligned) or self._only_strides(name, aligned, rows):
                continue
            rows[name] = aligned
        return rows

    def _only_strides(self, name: str, aligned: tuple[Affine, ...], rows: Aligned) -> bool:
        """Whether a statement would stride through memory inside, does not outside, and lets nothing be forgotten."""
        facts = self.problem.facts[name]
        inside, outside = self.problem.order(name, aligned).dims, self.problem.order(name).dims
        if not inside or facts.profile.smooth(inside[-1]) or not facts.profile.smooth(outside[-1]):
            return False
        written = {found.statement.array for n in rows if (found := self.problem.facts[n]).temporary}
        return written.isdisjoint(r.array for r in facts.statement.reads())

    def _is_product_over(self, name: str, aligned: tuple[Affine, ...]) -> bool:
        """Whether a statement is a product of matrices that sums over the recurrence's loops.

        It is one large contraction outside, an update of all its result in each step inside.
        """
        crossed = {d for row in aligned for d in row.names()} & set(self.problem.facts[name].profile.reductions)
        return bool(crossed) and not self.problem.frugal and self.problem.contraction(name) is not None

    def _sums(self, rows: Aligned) -> Aligned:
        """Add the consumers that sum up, over the loops of a wavefront and no others, what it computes."""
        skewed = any(len(row.names() & set(self.problem.dims(n))) > 1 for n, found in rows.items() for row in found)
        if not skewed:
            return rows
        recurrence, rows = list(rows), dict(rows)
        for name in self.problem.listed(self.later & self.free):
            profile = self.problem.facts[name].profile
            ready = all(b in recurrence or b not in self.later for b in self.before[name])
            if not profile.reductions or not ready or self.problem.order(name).contraction:
                continue
            aligned = self._align(name, rows)
            if aligned is not None and not set(self.problem.order(name, aligned).dims) & set(profile.reductions):
                rows[name] = aligned
        return rows

    def _producers(self, rows: Aligned, everything: bool) -> Aligned:
        rows = dict(rows)
        earlier = reachable(list(rows), self.backwards)
        waiting = self.problem.listed(earlier & self.free)[::-1]
        joined = True
        while joined:  # a producer joins when all its readers have: a definition after the contributions to its array
            joined = False
            for name in waiting:
                facts = self.problem.facts[name]
                wanted = facts.identity or (facts.temporary and (everything or self._starts(name)))
                # What an identity is read by after the recurrence may wait for it.
                needed = [a for a in self.after[name] if not facts.identity or a in earlier]
                if wanted and name not in rows and all(a in rows for a in needed):
                    aligned = self._align(name, rows)
                    if aligned is not None:
                        rows[name] = aligned
                        joined = True
        return rows

    def _starts(self, name: str) -> bool:
        """Whether a statement says in few operations what sums of the recurrence begin with, of inputs alone."""
        inside = self.recurrence.names
        sums = any(e.source == name and e.sink in inside and e.kind == _START for e in self.problem.edges_at(name))
        return sums and self.few > 0 and not self.before.get(name) and self.problem.facts[name].profile.light

    def _align(self, name: str, rows: Aligned) -> tuple[Affine, ...] | None:
        """The rows of a statement in step with the statements that have some, or None."""
        touching = [e for e in self.problem.edges_at(name) if ({e.source, e.sink} - {name}) & rows.keys()]
        for edge in touching:
            if edge.source == name:
                found = [edge.equalities.to_source(r) for r in rows[edge.sink]]
            else:
                found = [edge.equalities.to_sink(r) for r in rows[edge.source]]
            aligned = tuple(r for r in found if r is not None and r.names() & set(self.problem.dims(name)))
            if len(aligned) != len(found):
                continue
            # A consumer may come an iteration later: the reader of h[t] in a loop that computes h[t + 1].
            later = (*aligned[:-1], aligned[-1] + 1)
            for candidate in (aligned, later) if edge.sink == name else (aligned,):
                if self._fits(name, candidate, rows):
                    return candidate
        return None

    def _fits(self, name: str, aligned: tuple[Affine, ...], rows: Aligned) -> bool:
        extended = {**rows, name: aligned}
        for e in self.problem.edges_at(name):
            if e.source in extended and e.sink in extended:
                distances = [
                    e.equalities.distance(a, b) for a, b in zip(extended[e.source], extended[e.sink], strict=True)
                ]
                if any(d is None or d < 0 for d in distances):
                    return False
                if any(distances) and not self.problem.facts[name].identity and not self._late(e, name, distances):
                    return False
        for i, loop in enumerate(self.recurrence.loops):
            if loop.coincident and not keeps_contributions(
                self.problem, extended, {n: r[i] for n, r in extended.items()}
            ):
                return False
        return self._same_iterations(name, aligned)

    def _late(self, edge: Edge, name: str, distances: Sequence[int | None]) -> bool:
        """Whether a consumer only comes in later iterations of the innermost loop, one that is sequential."""
        free = self.recurrence.loops[-1].coincident or any(distances[:-1])
        return edge.sink == name and not free

    def _same_iterations(self, name: str, aligned: tuple[Affine, ...]) -> bool:
        """The statement runs where the recurrence runs, and in a few further steps at most."""
        further = self._further(name, aligned)
        if further.is_empty():
            return True
        step = further.project_out(isl.dim_type.set, 0, further.dim(isl.dim_type.set) - 1)
        return _extent(step) <= (1 if self.problem.facts[name].identity else self.few)

    def _further(self, name: str, aligned: tuple[Affine, ...]) -> isl.Set:
        """{ [rows] }: iterations of a statement in which the recurrence does not run."""
        reached = [
            self.problem.image(n, [loop.rows[n] for loop in self.recurrence.loops]) for n in self.recurrence.names
        ]
        every = reached[0]
        for part in reached[1:]:
            every = every.union(part)
        return self.problem.image(name, aligned).intersect_params(every.params()).subtract(every)

    def _forgetting(self, rows: Aligned, consumers: Aligned) -> Aligned:
        """Add the consumers that let single temporaries of the recurrence be forgotten; their own results are kept.

        Args:
            rows: the recurrence.
            consumers: it, and all that could join it.
        """
        found, history = dict(rows), list(self._history(rows))
        for array in dict.fromkeys(self.problem.facts[n].statement.array for n in rows):
            later = [e.sink for e in history if e.array == array]
            if all(n in consumers for n in later):
                while later:
                    name = later.pop()
                    if name not in found:
                        found[name] = consumers[name]
                        later += [b for b in self.before[name] if b in consumers]
        return found

    def _keeps_history(self, rows: Aligned) -> bool:
        """Whether a temporary of the recurrence is read from outside at other than its last few time steps."""
        return next(self._history(rows), None) is not None

    def _history(self, rows: Aligned) -> Iterator[Edge]:
        """The dependences by which temporaries are read from outside at other than their last few time steps."""
        batch = sum(loop.coincident for loop in self.recurrence.loops)
        for e in self.problem.edges:
            if e.source in rows and e.sink not in rows and self.problem.facts[e.source].temporary:
                statement = self.problem.facts[e.source].statement
                read = e.relation.domain().apply(row_relation(statement, rows[e.source]))
                written = self.problem.facts[e.source].domain.apply(row_relation(statement, rows[e.source]))
                if not read.is_subset(_last_steps(written, batch, self.few)):
                    yield e


def _extent(steps: isl.Set) -> float:
    """From the first to the last of some time steps { [t] }, how many there are at most for any sizes."""
    longest = isl.Map.from_domain_and_range(steps.lexmin(), steps.lexmax()).deltas().dim_max_val(0)
    return float(longest.to_python()) + 1 if longest.is_int() else math.inf


def _last_steps(iterations: isl.Set, batch: int, few: int) -> isl.Set:
    """Of { [batch..., time...] }, those with the last time for their batch coordinates, and with a few before it."""
    n = iterations.dim(isl.dim_type.set)
    by_batch = iterations.identity().project_out(isl.dim_type.in_, batch, n - batch)  # { [batch] -> [batch, time] }
    last = by_batch.lexmax().range()
    earlier = last
    back = [isl.Aff.var_on_domain(isl.LocalSpace.from_space(last.get_space()), isl.dim_type.set, i) for i in range(n)]
    for _ in range(few):
        back[-1] = back[-1] - 1
        earlier = earlier.union(last.apply(islx.multi_aff(last.get_space(), "", back).as_map()))
    return earlier
