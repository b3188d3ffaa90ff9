"""Loops by search: rows along what statements write, each taken only if all cycles inside of it can be broken.

The quick way (sequential_row.py) carries rows from statement to statement along dependences, and takes the first loop
that is legal. Where statements have few instances this may lead nowhere: a dependence of one pair says nothing of a
loop, t may follow from s by t = 1 - s at the end of the last segment, and inside of a legal loop that is the wrong one
statements take turns, with nothing left to tell their turns apart. So when it has failed

- the statements' rows are what they write: index p of their array, forward or backwards, retimed. Scans, their
  adjoints and the adjoints of these keep their steps in the leading indices of every array that a step writes, so that
  the order in which the program was written down is among those that are tried;
- a row is taken if the cycles inside of it have loops that break them, found in the same way: the search goes back.

What was found is legal for the reason any row is: no distance of an open dependence is negative (`retimed`).
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from polyad.ir.affine import Affine
from polyad.schedule.order.sequential_row import carries, retimed
from polyad.schedule.state.cycles import cycles
from polyad.schedule.state.problem import Problem, Rows

__all__ = ["searched_rows"]

_ROWS = 200
"""Rows that are tried for one recurrence, with all that is inside of it."""


def searched_rows(problem: Problem) -> list[Rows] | None:
    """The rows of sequential loops, outermost first, inside of which every cycle that is left can be broken.

    None if a bounded number of rows leads nowhere.
    """
    return _search(problem, [_ROWS])


def _search(problem: Problem, budget: list[int]) -> list[Rows] | None:
    for rows in _written_rows(problem):
        if budget[0] == 0:
            return None
        budget[0] -= 1
        inside = problem.inside(rows, False)
        left = cycles(inside)
        if len(left) == 1 and left[0].names == problem.names:
            inner = _search(inside, budget)  # the loops of one cycle stand together
            if inner is not None:
                return [rows, *inner]
        elif all(_search(c, budget) is not None for c in left):
            return [rows]
    return None


def _written_rows(problem: Problem) -> Iterator[Rows]:
    """Rows along each index of what the statements write, 0 for those that write no such index."""
    indices = {n: _indices(problem.facts[n].written) for n in problem.names}
    for place in range(max(map(len, indices.values()))):
        for sign in (1, -1):
            rows = {n: own[place] * sign if place < len(own) else Affine.of(0) for n, own in indices.items()}
            shifted = retimed(problem, rows)
            if shifted is not None and carries(problem, shifted):
                yield shifted


def _indices(written: Sequence[Affine]) -> list[Affine]:
    """The linear parts of what is written, index by index; 0 for one with divisions: constants are for retiming."""
    plain = [all(isinstance(atom, str) for atom, _ in index.terms) for index in written]
    return [Affine(i.terms, 0) if p else Affine.of(0) for i, p in zip(written, plain, strict=True)]
