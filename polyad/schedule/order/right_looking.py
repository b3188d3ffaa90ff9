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
                found = retimed(problem, {**rows, name: row})
                if found is not None and carries(problem, found):
                    rows = found
                    break
    return rows


def _strides(problem: Problem, name: str, row: Affine) -> bool:
    """Whether the innermost loop of a sum that is left inside of a row leaves elements of memory out."""
    profile, dims = problem.facts[name].profile, problem.order(name, [row]).dims
    return bool(profile.reductions) and bool(dims) and not profile.smooth(dims[-1])


def _others(problem: Problem, name: str, rows: Rows) -> list[Affine]:
    """The rows along which a sum runs with the statements that it reads."""
    found = [carry(e, rows, name) for e in problem.edges if e.sink == name and e.source in rows and e.source != name]
    reductions = problem.facts[name].profile.reductions
    single = {row: single_dim(row, problem.dims(name)) for row in found if row is not None}
    return [row for row, dim in single.items() if dim is not None and dim[0] in reductions]
