"""The loops of a recurrence: statements that depend on each other in a cycle get outer loops that break it.

    parallel row    a loop that no dependence and no reduction crosses (the batch); at most one, outermost
    sequential row  a loop along which no dependence points backwards and some point forwards (time)

Rows are single dimensions, forward or reversed, shifted by constants where statements need it (retiming). They are
found by carrying a dimension of one statement along the equalities of the dependences to all others: the loops come out
named and unskewed, in time that does not depend on extents. Where no such row exists isl's scheduler is asked
(isl_rows.py), which skews.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import lru_cache

from polyad.analysis.graph import components
from polyad.errors import ScheduleError
from polyad.ir.affine import Affine
from polyad.ir.statement import Statement
from polyad.schedule.equalities import single_dim
from polyad.schedule.isl_rows import isl_rows
from polyad.schedule.problem import Edge, Problem, Rows, row_relation

__all__ = ["Loop", "is_cyclic", "least_distance", "recurrence_loops"]

_SEARCH_LIMIT = 2000  # rows tried for one loop before isl's scheduler is asked


@dataclass(frozen=True, slots=True, eq=False)
class Loop:
    """One loop of a recurrence.

    Attributes:
        rows: statement -> row.
        coincident: whether it carries nothing and no reduction crosses it.
        permutable: whether it may change places with the next loop.
        peeled: whether some statements run in further iterations, which are to be split off.
    """

    rows: Rows
    coincident: bool
    permutable: bool
    peeled: bool = False


def is_cyclic(problem: Problem) -> bool:
    """Whether the statements form one cycle of open dependences (a single statement: whether it needs itself)."""
    following: dict[str, list[str]] = {}
    for e in problem.edges:
        following.setdefault(e.source, []).append(e.sink)
    names = problem.names
    if len(names) == 1:
        return names[0] in following.get(names[0], ())
    return len(components(names, following)) == 1


def recurrence_loops(problem: Problem, single: bool = False) -> list[Loop]:
    """The outer loops of one strongly connected component, up to where the cycle is broken.

    Args:
        problem: its statements; or those of several components that are to share loops.
        single: whether only loops along single dimensions will do.

    Raises:
        ScheduleError: no affine order was found.
    """
    found: list[tuple[Problem, Rows, bool]] = []
    left = problem
    if not left.in_parallel and (rows := _parallel_row(left)) is not None:
        found.append((left, rows, True))
        left = left.inside(rows, True)
    while is_cyclic(left) or all(coincident for _, _, coincident in found):
        sequential = _sequential_row(left)
        # Order asked for by memory alone is given up rather than searched for at length: the scheduler tries without.
        wishes = single or any(e.kind == "memory" for e in left.edges)
        new = [sequential] if sequential is not None else [] if wishes else isl_rows(left)
        if not _carries(left, new) or len(found) > sum(len(problem.dims(n)) for n in problem.names):
            raise ScheduleError(
                f"no order of execution was found for the recurrence of {', '.join(problem.names)}: neither single "
                "loops nor isl's scheduler satisfy its dependences; split the recurrence or give a schedule of your own"
            )
        for rows in new:
            found.append((left, rows, False))
            left = left.inside(rows, False)
    loops = []
    for i, (before, rows, coincident) in enumerate(found):
        after = found[i + 1][1] if i + 1 < len(found) else None
        permutable = after is not None and _permutable(before, after)
        loops.append(Loop(rows, coincident, permutable))
    return loops


def _carries(problem: Problem, loops: Sequence[Rows]) -> bool:
    """Whether an open dependence crosses one of the loops: else they settle nothing."""
    return any(e.equalities.distance(rows[e.source], rows[e.sink]) != 0 for rows in loops for e in problem.edges)


def least_distance(problem: Problem, edge: Edge, source: Affine, sink: Affine) -> int | None:
    """The least sink - source over all pairs of a dependence, or None when it has no bound."""
    first, second = problem.facts[edge.source].statement, problem.facts[edge.sink].statement
    return _least_distance(first, second, edge, source, sink)


@lru_cache(maxsize=4096)  # the search for rows asks the same again and again; edges are compared by identity
def _least_distance(first: Statement, second: Statement, edge: Edge, source: Affine, sink: Affine) -> int | None:
    constant = edge.equalities.distance(source, sink)
    if constant is not None:
        return constant
    relation = edge.relation.apply_domain(row_relation(first, [source])).apply_range(row_relation(second, [sink]))
    least = relation.deltas().dim_min_val(0)
    return int(least.to_python()) if least.is_int() else None


def _roots(problem: Problem) -> list[str]:
    """The statements to start from: those with the fewest loops left first, so that a wrong start is rare.

    It is wrong where a statement runs in one iteration only of the loop that is looked for, as a sum into one step of a
    scan does: then its own loops are inside.
    """
    found = [(len(problem.order(n).dims), n) for n in problem.names]
    return [n for loops, n in sorted(found, key=lambda f: f[0]) if loops]


def _parallel_row(problem: Problem) -> Rows | None:
    """A row that all open dependences and contributions keep; not the contiguous one, which vectorises inside."""
    for root, dim in ((n, d) for n in _roots(problem)[:1] for d in problem.order(n).dims):
        if problem.facts[root].profile.write[dim] == 1:
            continue
        rows: dict[str, Affine] = {root: Affine.of(dim)}
        for edge, name in _spanning(problem, root):
            row = _carry(edge, rows, name)
            if row is None or single_dim(row, problem.dims(name)) is None:
                break
            rows[name] = row
        if len(rows) == len(problem.names) and all(
            e.equalities.distance(rows[e.source], rows[e.sink]) == 0 for e in (*problem.edges, *problem.conflicts)
        ):
            return rows
    return None


def _spanning(problem: Problem, root: str) -> Iterator[tuple[Edge, str]]:
    """Edges that reach every statement from `root`, each with the statement it reaches, nearest first."""
    seen, todo = {root}, [root]
    while todo:
        here = todo.pop(0)
        for e in problem.edges:
            for near, far in ((e.source, e.sink), (e.sink, e.source)):
                if near == here and far not in seen:
                    seen.add(far)
                    todo.append(far)
                    yield e, far


def _carry(edge: Edge, rows: Rows, name: str) -> Affine | None:
    """The row of `name` that runs alongside the row known at the other end of the edge."""
    if edge.sink == name and edge.source in rows:
        return edge.equalities.to_sink(rows[edge.source])
    if edge.source == name and edge.sink in rows:
        return edge.equalities.to_source(rows[edge.sink])
    return None


def _sequential_row(problem: Problem) -> Rows | None:
    """A row along which no open dependence points backwards and some point forwards."""
    budget = [_SEARCH_LIMIT]
    for root, dim in ((n, d) for n in _roots(problem) for d in problem.order(n).dims):
        for sign in (1, -1):
            start = Affine.of(dim) * sign
            if _bounds(problem, {root: start}, root) is None:
                continue
            for rows in _extensions(problem, {root: start}, sign, budget):
                retimed = _retime(problem, rows)
                if retimed is not None:
                    return retimed
    return None


def _extensions(problem: Problem, rows: Rows, sign: int, budget: list[int]) -> Iterator[Rows]:
    """Complete assignments of rows, distances to be fixed by retiming.

    Neighbours' rows are tried first, then the statement's own dimensions. Between few instances a dependence may say no
    more of a statement than at which iteration it runs; then a dimension of the same name comes before that constant.
    """
    if len(rows) == len(problem.names):
        yield rows
        return
    name = next(
        n
        for e in problem.edges
        for n, other in ((e.sink, e.source), (e.source, e.sink))
        if n not in rows and other in rows
    )
    # Constants are the business of retiming.
    carried = [Affine(row.terms, 0) for e in problem.edges if (row := _carry(e, rows, name)) is not None]
    own = [Affine.of(d) * sign for d in problem.order(name).dims]
    options = [r for r in carried if r.terms] + [r for r in own if r in rows.values()] + carried + own
    for row in dict.fromkeys(options):
        budget[0] -= 1
        if budget[0] < 0:
            return
        extended = {**rows, name: row}
        if _bounds(problem, extended, name) is not None:
            yield from _extensions(problem, extended, sign, budget)


def _bounds(problem: Problem, rows: Rows, name: str) -> list[tuple[Edge, int]] | None:
    """The least distances of the edges between `name` and statements that have a row; None if one has no bound."""
    found = []
    for e in problem.edges:
        if name in (e.source, e.sink) and e.source in rows and e.sink in rows:
            bound = least_distance(problem, e, rows[e.source], rows[e.sink])
            if bound is None or (e.source == e.sink and bound < 0):
                return None
            found.append((e, bound))
    return found


def _retime(problem: Problem, rows: Rows) -> Rows | None:
    """Shift rows by the least constants that leave no dependence backwards; None if impossible or nothing is carried.

    Source: C. Leiserson, J. Saxe, Retiming synchronous circuitry, 1991: longest paths by Bellman and Ford.
    """
    bounds: list[tuple[Edge, int]] = []
    for e in problem.edges:
        bound = least_distance(problem, e, rows[e.source], rows[e.sink])
        assert bound is not None, "every edge was bounded when its second end got a row"
        bounds.append((e, bound))
    shift = dict.fromkeys(rows, 0)
    for _ in range(len(rows) + 1):
        late = [(e, b) for e, b in bounds if shift[e.sink] < shift[e.source] - b]
        if not late:
            break
        for e, b in late:
            shift[e.sink] = max(shift[e.sink], shift[e.source] - b)
    else:
        return None
    result = {n: rows[n] + shift[n] for n in problem.names}
    still = all(e.equalities.distance(result[e.source], result[e.sink]) == 0 for e in problem.edges)
    return None if still else result


def _permutable(problem: Problem, rows: Rows) -> bool:
    """Whether a loop along `rows` points no dependence backwards."""
    bounds = [least_distance(problem, e, rows[e.source], rows[e.sink]) for e in problem.edges]
    return all(b is not None and b >= 0 for b in bounds)
