"""Parallel loops around recurrences that are run in one part per thread, under the mark `share`.

    parallel for b                      each thread, for its own b_first .. b_last:
      for t                               for t
        for j, k                            for b, j, k     z[t, b, j] += h[t, b, k] * W[j, k]
          z[t, b, j] += ...                 for b, j        ...

The band below the mark is the parallel loop as it stands, so the tree alone is an order that satisfies all dependences;
the mark allows all iterations of a part to be run side by side, in the loops inside. That is right since no dependence
ties two iterations of a parallel loop, and pays where it makes a contraction of what would be matrix times vector.
"""

from __future__ import annotations

from polyad.schedule.choose.concurrent_loops import is_parallel
from polyad.schedule.order.groups import Cluster
from polyad.schedule.state.problem import Problem

__all__ = ["is_shared"]


def is_shared(problem: Problem, cluster: Cluster) -> bool:
    """Whether the outermost loop of a recurrence should be run in parts."""
    if not problem.strategies.share or not cluster.recurrence or len(cluster.loops) < 2:
        return False
    outer = cluster.loops[0]
    if not outer.coincident or not is_parallel(problem):
        return False
    inside = problem.shared(outer.rows)
    for loop in cluster.loops[1:]:
        inside = inside.inside(loop.rows, loop.coincident)
    for name in inside.names:
        shape = inside.contraction(name)
        if shape is not None and any(d in outer.rows[name].names() for d in (*shape.rows, *shape.columns)):
            return True
    return False
