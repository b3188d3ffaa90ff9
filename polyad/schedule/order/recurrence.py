"""The loops of a recurrence: statements that depend on each other in a cycle get outer loops that break it.

    parallel row    a loop that no dependence and no reduction crosses (the batch); at most one, outermost, but all of
                    them where all free loops are parallel
    sequential row  a loop along which no dependence points backwards and some point forwards (time)

Rows are single dimensions, forward or reversed, shifted by constants where statements need it (retiming): the loops
come out named and unskewed (sequential_row.py). They are skewed where that leaves loops inside that are free
(wavefront.py), and where no such row exists: then isl's scheduler is asked (isl_rows.py). The first loop that is
legal is taken, or one soon after it that breaks all cycles; where that leads nowhere, loops are searched for
(written_rows.py).
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from itertools import chain, islice

from polyad.errors import ScheduleError
from polyad.ir.affine import Affine
from polyad.isl_scheduler import SECONDS
from polyad.schedule.order.isl_rows import isl_rows
from polyad.schedule.order.right_looking import right_looking
from polyad.schedule.order.sequential_row import carries, carry, least_distance, roots, sequential_rows
from polyad.schedule.order.wavefront import wavefront_row
from polyad.schedule.order.written_rows import searched_rows
from polyad.schedule.state.cycles import cycles, is_cyclic
from polyad.schedule.state.equalities import single_dim
from polyad.schedule.state.problem import Edge, Problem, Rows

__all__ = ["RecurrenceLoop", "found_loops", "parallel_row", "recurrence_loops"]

_TRIES = 32
"""Sequential rows of one loop that are tried until one leads on."""

_BETTER = 8
"""Sequential rows of one loop that are tried until one leaves no cycles."""


@dataclass(frozen=True, slots=True, eq=False)
class RecurrenceLoop:
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


def recurrence_loops(problem: Problem) -> list[RecurrenceLoop]:
    """The outer loops of one strongly connected component, up to where the cycle is broken.

    Raises:
        ScheduleError: no affine order was found.
    """
    loops = found_loops(problem, single=False)
    if loops is None:
        raise ScheduleError(
            f"no order of execution was found for the recurrence of {', '.join(problem.names)}: neither single "
            f"loops nor isl's scheduler, in {SECONDS} seconds, satisfy its dependences; split the recurrence or give a "
            "schedule of your own"
        )
    return loops


def found_loops(problem: Problem, single: bool) -> list[RecurrenceLoop] | None:
    """As `recurrence_loops`, but None where there are none.

    Args:
        problem: the statements of a component; or those of several that are to share loops.
        single: whether only loops along single dimensions will do.
    """
    parallel: list[Rows] = []
    left = problem
    while not left.in_parallel and (rows := parallel_row(left)) is not None:
        parallel.append(rows)
        left = left.inside(rows, True)
        if not problem.strategies.nested:
            break
    sequential = _sequential(left, single)
    if sequential is None and not single:
        sequential = searched_rows(left)  # the first legal loops led nowhere
    if sequential is None:
        return None
    found, loops, before = [*parallel, *sequential], [], problem
    for i, rows in enumerate(found):
        coincident, last = i < len(parallel), i + 1 == len(found)
        loops.append(RecurrenceLoop(rows, coincident, not last and _permutable(before, found[i + 1])))
        before = before.inside(rows, coincident)
    return loops


def _sequential(problem: Problem, single: bool) -> list[Rows] | None:
    """The rows of one sequential loop, or of as many as break the cycle; None where those that are found do not."""
    found: list[Rows] = []
    left = problem
    while is_cyclic(left) or not found:
        first = _first_row(left)
        if first is not None:
            new = [_breaking(left, first) or _skewed(left, first) or first]
        else:
            # Order asked for by memory alone is given up, not searched for at length: the scheduler tries without.
            new = [] if single or any(e.kind == "memory" for e in left.edges) else isl_rows(left)
        most = sum(len(problem.dims(n)) for n in problem.names)
        if len(found) > most or not any(carries(left, rows) for rows in new):
            return None
        for rows in new:
            found.append(rows)
            left = left.inside(rows, False)
    return found


def _first_row(problem: Problem) -> Rows | None:
    """A sequential row inside of which no statements without loops of their own take turns; where none is, any row.

    Where a runs first in one iteration and b in another, only a loop along another dimension that follows from this one
    tells their turns apart (t where t = s).
    """
    perhaps = None
    for rows in islice(sequential_rows(problem), _TRIES):
        inside = problem.inside(rows, False)
        if not cycles(inside.only(n for n in problem.names if not inside.order(n).dims)):
            return rows
        perhaps = perhaps or rows
    return perhaps


def _breaking(problem: Problem, rows: Rows) -> Rows | None:
    """A sequential row that leaves no cycles, the one given or one that is found soon after it.

    The first one may run along a row of an array in one statement and along a column in another, or along columns
    alone; then further sequential loops follow inside, and what they walk along is not contiguous.
    """
    # Only what `right_looking` may turn round can still be in a cycle with itself.
    turned = {f.statement.array for f in problem.facts.values() if f.profile.reductions and problem.strategies.order}
    settled = {n for n, f in problem.facts.items() if f.statement.array not in turned}
    for found in chain([rows], islice(sequential_rows(problem, settled), _BETTER)):
        other = right_looking(problem, found) if problem.strategies.order else found
        if not cycles(problem.inside(other, False)):
            return other
    return None


def _skewed(problem: Problem, rows: Rows) -> Rows | None:
    return wavefront_row(problem, rows) if problem.strategies.wavefront else None


def parallel_row(problem: Problem) -> Rows | None:
    """A row that all open dependences and contributions keep; not the contiguous one, which vectorises inside.

    Where all free loops are parallel, that one comes last.
    """
    writes = {n: problem.facts[n].profile.write for n in roots(problem)[:1]}
    dims = [(n, d) for n in writes for d in problem.order(n).dims if writes[n][d] != 1]
    dims += [(n, d) for n in writes for d in problem.order(n).dims if writes[n][d] == 1 and problem.strategies.nested]
    for root, dim in dims:
        rows: dict[str, Affine] = {root: Affine.of(dim)}
        for edge, name in _spanning(problem, root):
            row = carry(edge, rows, name)
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


def _permutable(problem: Problem, rows: Rows) -> bool:
    """Whether a loop along `rows` points no dependence backwards."""
    bounds = [least_distance(problem, e, rows[e.source], rows[e.sink]) for e in problem.edges]
    return all(b is not None and b >= 0 for b in bounds)
