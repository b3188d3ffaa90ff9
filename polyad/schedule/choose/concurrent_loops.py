"""The choice of loops that are marked `parallel` and `simd`.

- `parallel`: the outermost loop of a nest that carries no dependence and that no reduction crosses. Inside of a
  sequential loop, where threads have to start anew in each of its iterations, only when a further loop is inside.
  Where `strategies.nested` says so, every such loop.
- `simd`: an innermost loop along which every access stays, or goes on by one element, forwards or backwards, and that
  either no reduction crosses, or whose reductions are sums, maxima or minima into an element that the loop keeps
  (codegen turns these into vector accumulators). To turn a vector around takes an instruction; a sum one by one waits
  for each addition. Along a wavefront, which is made for vectors, accesses may stride (wavefront.py weighs what that
  costs).
"""

from __future__ import annotations

from polyad.analysis.strides import goes_one_by_one
from polyad.ir.statement import Statement
from polyad.schedule.state.directions import loop_direction
from polyad.schedule.state.equalities import single_dim
from polyad.schedule.state.problem import Problem, Rows
from polyad.schedule.tree.marks import LANES

__all__ = ["is_parallel", "is_simd"]


def is_parallel(problem: Problem) -> bool:
    """Whether a loop that carries nothing, around all statements of the problem, should run in parallel."""
    if problem.strategies.nested or problem.in_parallel or not problem.strategies.parallel:
        return problem.strategies.nested and problem.strategies.parallel
    return not problem.in_sequence or any(len(problem.order(n).dims) > 1 for n in problem.names)


def is_simd(problem: Problem, rows: Rows) -> bool:
    """Whether an innermost acyclic loop around all statements of the problem should use vector instructions."""
    if not problem.strategies.simd:
        return False
    crossed = {
        n
        for e in problem.conflicts
        if e.equalities.distance(rows[e.source], rows[e.sink]) != 0
        for n in (e.source, e.sink)
    }
    for name, facts in problem.facts.items():
        found = single_dim(rows[name], problem.dims(name))
        if found is None or found[1] < 0:
            return False
        backwards = goes_one_by_one(facts.statement, found[0])
        if not facts.profile.smooth(found[0]) and not backwards and not _along_wavefront(problem, name, rows):
            return False
        # A domain in several pieces becomes several loops: there is no one loop to be marked.
        if facts.domain.coalesce().n_basic_set() != 1 and not _in_wavefront(problem, name):
            return False
        if name in crossed and (not _in_lanes(facts.statement) or facts.profile.write[found[0]] != 0):
            return False
    return True


def _in_lanes(statement: Statement) -> bool:
    """Whether each lane may reduce a part: sums, and maxima and minima of numbers."""
    return statement.reduction == "sum" or (statement.body.dtype != "bool" and statement.reduction in LANES)


def _in_wavefront(problem: Problem, name: str) -> bool:
    """Whether a loop around is skewed. Every point of it meets its own piece of a domain."""
    dims = set(problem.dims(name))
    return any(len(row.names() & dims) > 1 for row in problem.around[name])


def _along_wavefront(problem: Problem, name: str, rows: Rows) -> bool:
    """Whether the loop moves a statement through several of its dimensions at once, at addresses known beforehand."""
    statement = problem.facts[name].statement
    step = loop_direction(statement.dims, problem.around[name], rows[name])
    if step is None or sum(v != 0 for v in step.values()) < 2:
        return False
    return not problem.facts[name].chosen
