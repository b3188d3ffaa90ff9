"""Finding one loop of a recurrence: a row for each statement, along which no dependence points backwards.

A row of one statement is carried along the equalities of the dependences to all others, so the time this takes does not
depend on extents; rows are shifted by constants where statements need it (retiming).
"""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import product

from polyad.ir.affine import Affine
from polyad.ir.statement import Statement
from polyad.schedule.order.delays import Bound, delay
from polyad.schedule.order.shifts import Shifts, comes_round
from polyad.schedule.state.problem import Edge, Problem, Rows, row_relation

__all__ = [
    "SEARCH_LIMIT",
    "carries",
    "carry",
    "complete_rows",
    "least_distance",
    "retimed",
    "roots",
    "sequential_rows",
]

SEARCH_LIMIT = 2000  # rows tried for one loop before isl's scheduler is asked

_FEW = 4
"""Rows that may be tried for a statement, on average, from one start."""


def least_distance(problem: Problem, edge: Edge, source: Affine, sink: Affine) -> int | None:
    """The least sink - source over all pairs of a dependence, or None when it has no bound."""
    first, second = problem.facts[edge.source].statement, problem.facts[edge.sink].statement
    return problem.once(_least_distance, first, second, edge, source, sink)


def _least_distance(first: Statement, second: Statement, edge: Edge, source: Affine, sink: Affine) -> int | None:
    constant = edge.equalities.distance(source, sink)
    if constant is not None:
        return constant
    relation = edge.relation.apply_domain(row_relation(first, [source])).apply_range(row_relation(second, [sink]))
    least = relation.deltas().dim_min_val(0)
    return int(least.to_python()) if least.is_int() else None


def roots(problem: Problem) -> list[str]:
    """The statements to start from: those with the fewest loops left first, so that a wrong start is rare.

    It is wrong where a statement runs in one iteration only of the loop that is looked for, as a sum into one step of a
    scan does: then its own loops are inside. Of borders with as many loops, those come first that go through memory in
    the largest steps: the loops inside of theirs find elements side by side.
    """
    found = []
    for n in problem.names:
        dims, written = {*problem.order(n).dims}, problem.facts[n].written
        place = next((k for k, index in enumerate(written) if index.names() & dims), len(written))
        found += [(len(dims), place, n)] if dims else []
    return [n for _, _, n in sorted(found, key=lambda f: f[:2])]


def carry(edge: Edge, rows: Rows, name: str) -> Affine | None:
    """The row of `name` that runs alongside the row known at the other end of the edge."""
    if edge.sink == name and edge.source in rows:
        return edge.equalities.to_sink(rows[edge.source])
    if edge.source == name and edge.sink in rows:
        return edge.equalities.to_source(rows[edge.sink])
    return None


def sequential_rows(problem: Problem, settled: Collection[str] = ()) -> Iterator[Rows]:
    """Rows along which no open dependence points backwards and some point forwards, each once; the likeliest first.

    One loop over the same thing for all statements is looked for first: any legal loop will do, but a strange one may
    leave no way to go on, and there are many of those. Every start may be searched for as long as others: a wrong one
    must not use up what the right one needs. Of many starts the first ones have all there is.

    Args:
        problem: statements in one cycle of dependences.
        settled: statements whose dependences on themselves are all to be carried: nothing else will do.
    """
    dims = {n: problem.order(n).dims for n in problem.names}
    starts = [(n, d, sign) for n in roots(problem) for d in dims[n] for sign in (1, -1)]
    own = {sign: {n: tuple(Affine.of(d) * sign for d in dims[n]) for n in problem.names} for sign in (1, -1)}
    found: set[tuple[Affine, ...]] = set()
    each = max(SEARCH_LIMIT // max(len(starts), 1), _FEW * len(problem.names))
    left = dict.fromkeys((True, False), 2 * max(SEARCH_LIMIT, each))
    for alike, (root, dim, sign) in product(left, starts):
        budget = [min(each, left[alike])]
        left[alike] -= budget[0]
        for rows in complete_rows(problem, {root: Affine.of(dim) * sign}, own[sign], alike, budget, settled):
            key = tuple(rows[n] for n in problem.names)
            if key not in found:
                found.add(key)
                yield rows
        left[alike] += max(budget[0], 0)


def complete_rows(
    problem: Problem,
    start: Rows,
    own: Mapping[str, Sequence[Affine]],
    alike: bool,
    budget: list[int],
    settled: Collection[str] = (),
) -> Iterator[Rows]:
    """Rows for all statements that extend that of one, retimed so that no open dependence points backwards.

    Args:
        problem: statements in one cycle of dependences.
        start: the row of one statement.
        own: rows to try for each statement where no dependence tells.
        alike: of its own rows a statement takes only those that another one has.
        budget: how many rows may still be tried, counted down.
        settled: as in `sequential_rows`.
    """
    (root,) = start
    search = _Search(problem, own, alike, budget, settled)
    first = search.bounds(start, root)
    shifts = None if first is None else Shifts({}, {}).with_statement(root, first)
    if first is None or shifts is None:
        return
    for rows, bounds in search.extensions(start, first, shifts):
        found = _retime(problem, rows, bounds)
        if found is not None and carries(problem, found):
            yield found


def retimed(problem: Problem, rows: Rows) -> Rows | None:
    """Rows of all statements, shifted so that no open dependence points backwards; None if no shifts do that."""
    bounds: list[Bound] = []
    for e in problem.edges:
        bound = least_distance(problem, e, rows[e.source], rows[e.sink])
        if bound is None:
            return None
        bounds.append((e, bound))
    return _retime(problem, rows, bounds)


@dataclass(frozen=True, slots=True, eq=False)
class _Search:
    """The constants of a search for rows, as in `complete_rows`."""

    problem: Problem
    own: Mapping[str, Sequence[Affine]]
    alike: bool
    budget: list[int]
    settled: Collection[str]

    def extensions(self, rows: Rows, bounds: Sequence[Bound], shifts: Shifts) -> Iterator[tuple[Rows, Sequence[Bound]]]:
        """Complete assignments of rows with the least distances of all edges, which are to be fixed by retiming.

        Neighbours' rows are tried first, then those that another statement has, those that write in step with others,
        and the statement's own. What no retiming of the statements so far can fix is not carried further: `shifts` fix
        these.
        """
        problem = self.problem
        if len(rows) == len(problem.names):
            yield rows, bounds
            return
        beside = (
            n
            for e in problem.edges
            for n, other in ((e.sink, e.source), (e.source, e.sink))
            if n not in rows and other in rows
        )
        # Recurrences that share a loop need not depend on each other.
        name = next(beside, None) or next(n for n in problem.names if n not in rows)
        tried: set[Affine] = set()
        for row in self.options(rows, name):
            if row in tried:
                continue
            tried.add(row)
            self.budget[0] -= 1
            if self.budget[0] < 0:
                return
            extended = {**rows, name: row}
            new = self.bounds(extended, name)
            if new is None:
                continue
            if (later := shifts.with_statement(name, new)) is not None:
                yield from self.extensions(extended, [*bounds, *new], later)

    def options(self, rows: Rows, name: str) -> Iterator[Affine]:
        """Rows to try for one more statement, some twice."""
        # Constants are the business of retiming.
        beside = (carry(e, rows, name) for e in self.problem.edges_at(name))
        carried = [Affine(row.terms, 0) for row in beside if row is not None]
        yield from (r for r in carried if not r.names().isdisjoint(self.problem.dims(name)))
        known = {*rows.values()}
        yield from (r for r in self.own[name] if r in known)
        yield from _alongside(self.problem, rows, name)
        yield from carried
        yield from () if self.alike else self.own[name]

    def bounds(self, rows: Rows, name: str) -> list[Bound] | None:
        """The least distances of the edges between `name` and statements that have a row; None if one has no bound."""
        found = []
        for e in self.problem.edges_at(name):
            if e.source in rows and e.sink in rows:
                bound = least_distance(self.problem, e, rows[e.source], rows[e.sink])
                if bound is None or (e.source == e.sink and bound < (name in self.settled)):
                    return None
                found.append((e, bound))
        return found


def _retime(problem: Problem, rows: Rows, bounds: Sequence[Bound]) -> Rows | None:
    """Shift the rows of all statements so that no dependence points backwards; None if impossible.

    They run as early as they can, but for large arrays (delays.py).
    """
    shift = _least_shifts(problem, rows, bounds)
    if shift is None:
        return None
    delay(problem, shift, bounds)
    return {n: rows[n] + shift[n] for n in problem.names}


def _least_shifts(problem: Problem, rows: Rows, bounds: Sequence[Bound]) -> dict[str, int] | None:
    """The least shifts of the rows of some statements that leave no dependence backwards; None if there are none.

    Statements that write one array start in step: those that write its elements of one index run in one iteration, so
    that it can be forgotten as early as possible.

    Args:
        problem: names the statements in order.
        rows: of some.
        bounds: the least distance of each edge between these.

    Source: C. Leiserson, J. Saxe, Retiming synchronous circuitry, 1991: longest paths by Bellman and Ford, given up as
    soon as what moved what comes round in a circle (B. Cherkassky, A. Goldberg, Negative-cycle detection, 1999).
    """
    shift = _in_step(problem, rows)
    moved_by: dict[str, str] = {}
    moved = True
    while moved:
        moved = False
        for e, bound in bounds:
            least = shift[e.source] - bound
            if shift[e.sink] < least:
                shift[e.sink], moved_by[e.sink], moved = least, e.source, True
        if moved and comes_round(moved_by):
            return None
    return shift


def _alongside(problem: Problem, rows: Rows, name: str) -> list[Affine]:
    """The rows with which a statement writes its array in step with others: where -t writes R[t], R[2 t] takes -2 t.

    A dependence between few instances does not tell this: its only pair says as much as t = 1 and t' = 2.
    """
    statement, written = problem.facts[name].statement, problem.facts[name].written
    moving = [index.terms and all(atom in statement.dims for atom, _ in index.terms) for index in written]
    found = []
    for other in (problem.facts[n] for n, row in rows.items() if row.terms):
        if other.statement.array != statement.array or not written or not other.written:
            continue
        signs = problem.once(_signs, other.written, rows[other.statement.name])
        for own, moves, both in zip(written, moving, signs, strict=True):
            found += [Affine((own * sign).terms, 0) for sign in both if moves]
    return found


def _signs(written: tuple[Affine, ...], row: Affine) -> tuple[tuple[int, ...], ...]:
    """For each index of what a statement writes, with which signs it moves as a row does."""
    return tuple(tuple(s for s in (1, -1) if (index * s - row).is_constant) for index in written)


def _in_step(problem: Problem, rows: Rows) -> dict[str, int]:
    """The shifts with which rows are the same function of what is written, for statements that write one array."""
    shift = dict.fromkeys(rows, 0)
    writers: dict[str, list[str]] = {}
    for name in rows:
        writers.setdefault(problem.facts[name].statement.array, []).append(name)
    for together in writers.values():
        if len(together) > 1:
            written = tuple(problem.facts[n].written for n in together)
            ahead = problem.once(_ahead, written, tuple(rows[n] for n in together))
            shift.update(zip(together, ahead, strict=False))
    return shift


def _ahead(written: tuple[tuple[Affine, ...], ...], rows: tuple[Affine, ...]) -> tuple[int, ...]:
    """By how much each row has to be shifted; nothing where they do not run in step."""
    if all(written):
        for indices in zip(*written, strict=True):
            ahead = [index - row for index, row in zip(indices, rows, strict=True)]
            if all(a.is_constant for a in ahead):
                least = min(a.constant for a in ahead)
                return tuple(a.constant - least for a in ahead)
    return ()


def carries(problem: Problem, rows: Rows) -> bool:
    """Whether some dependence crosses the loop."""
    return any(e.equalities.distance(rows[e.source], rows[e.sink]) != 0 for e in problem.edges)
