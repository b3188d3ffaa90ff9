"""Sums over earlier steps of a recurrence: gathered when a step needs them, or added as soon as a step is done.

    left-looking     for i                                  right-looking    for j
                       for j before i                                          x[j] = f(s[j])
                         s[i] += L[j, i] * x[j]                                for i behind j
                       x[i] = f(s[i])                                            s[i] += L[j, i] * x[j]

Both are legal; the right one runs along a row of L. A sum keeps the loop that was found for it, in which it is one
number, unless that strides through memory and the other one does not.

Source: J. Dongarra, F. Gustavson, A. Karp, Implementing linear algebra algorithms for dense matrices on a vector
pipeline machine, 1984.
"""

from __future__ import annotations

from dataclasses import replace

from polyad.ir.affine import Affine
from polyad.schedule.order.sequential_row import carries, carry, retimed
from polyad.schedule.state.equalities import single_dim
from polyad.schedule.state.problem import Problem, Rows

__all__ = ["right_looking"]


def right_looking(problem: Problem, rows: Rows) -> Rows:
    """The rows of a loop with other ones for sums that would stride through memory inside of it."""
    for name in problem.names:
        if not _strides(problem, name, rows[name]):
            continue
        for row in _others(problem, name, rows):
            if not _strides(problem, name, row):
                found = retimed(problem, {**rows, **_first_values(problem, name, row), name: row})
                if found is not None and carries(problem, found):
                    rows = found
                    break
    return rows


def _strides(problem: Problem, name: str, row: Affine) -> bool:
    """Whether the innermost loop of a sum that is left inside of a row leaves elements of memory out."""
    # The loops that are found here are those of a recurrence: what is inside of them is ordered for itself.
    inside = replace(problem, fixed=len(problem.around[name]) + 1)
    profile, dims = problem.facts[name].profile, inside.order(name, [row]).dims
    return bool(profile.reductions) and bool(dims) and not profile.smooth(dims[-1])


def _others(problem: Problem, name: str, rows: Rows) -> list[Affine]:
    """The rows along which a sum runs with the statements that it reads."""
    found = [carry(e, rows, name) for e in problem.edges if e.sink == name and e.source in rows and e.source != name]
    return [row for row in dict.fromkeys(found) if row is not None and single_dim(row, problem.dims(name)) is not None]


def _first_values(problem: Problem, name: str, row: Affine) -> Rows:
    """The rows along which the statements run that say what a sum begins with, where they run in step with it."""
    array = problem.facts[name].statement.array
    begun = [e for e in problem.edges if e.sink == name and problem.facts[e.source].statement.array == array]
    found = {e.source: carry(e, {name: row}, e.source) for e in begun if e.source != name}
    return {n: own for n, own in found.items() if own is not None and own.names() & {*problem.dims(n)}}
