"""The choice of loops around reductions that run in register blocks: unroll and jam, and vectors of results.

What several iterations of a loop share is loaded once for all of them, and their sums stay in registers (the orders of
loops are those of loop_order.py):

    y[i]    += A[i, k] * x[k]           i jammed, vectors along k: x[k] is loaded once for 8 rows
    y[j]    += A[k, j] * x[k]           k jammed, vectors along j: y[j] is loaded and stored once for 8 rows
    C[i, j] += A[i, k] * B[j, k]        i and j jammed, vectors along k: 4 times 4 sums
    C[i, j] += A[i, k] * B[k, j]        i jammed, j in lanes around the reduction: 4 times 4 vectors of sums
    y[j]    += A[k, j] * x[k]           for few j: j in lanes around the reduction, all of y in registers

What the macro-kernel is to have is none of these.

Source: J. Allen, K. Kennedy, Optimizing compilers for modern architectures, 2001, section 8.4 (unroll and jam).
"""

from __future__ import annotations

from polyad.machine import Machine
from polyad.schedule.state.equalities import single_dim
from polyad.schedule.state.problem import Problem, Rows
from polyad.schedule.tree.marks import JamMark, LanesMark

__all__ = ["block_mark", "block_size", "is_short", "reduction_tile"]


def block_mark(problem: Problem, rows: Rows) -> JamMark | LanesMark | None:
    """`jam` or `lanes` for a loop around all statements of the problem, None where no reduction asks for one."""
    found: JamMark | LanesMark | None = None
    for name in problem.names:
        order = problem.order(name)
        dim = single_dim(rows[name], problem.dims(name))
        if dim is None or dim[1] != 1 or problem.contraction(name) is not None:
            continue
        if dim[0] == order.lanes:
            found = LanesMark()
        elif dim[0] in order.jammed:
            found = JamMark(problem.machine.jam if order.contraction else problem.machine.sums)
    return found


def is_short(problem: Problem, rows: Rows) -> bool:
    """Whether a loop around all statements of the problem is over so few elements that one thread keeps them all."""
    found = {n: single_dim(rows[n], problem.dims(n)) for n in problem.names}
    return any(dim is not None and dim[0] in problem.facts[n].profile.short for n, dim in found.items())


def block_size(mark: JamMark | LanesMark, tiled: bool, machine: Machine) -> int:
    """How many iterations of a marked loop one thread runs together; `tiled`: the reduction inside is cut to tiles."""
    return machine.tile_rows if tiled or isinstance(mark, LanesMark) else mark.count


def reduction_tile(problem: Problem) -> tuple[str, int] | None:
    """The outermost reduction loop of a contraction in lanes, and the size of its tiles; None where tiles do not help.

    Such a contraction reads a column of one operand and a band of the other for each block of its result; cut to tiles,
    they are in cache when the next block needs them. Inside of a recurrence the rows are few, and nothing is gained.
    """
    if len(problem.names) != 1 or problem.fixed:
        return None
    order = problem.order(problem.names[0])
    reductions = [d for d in order.dims if d not in order.outputs]
    one, several = problem.machine.tile_sums
    return (reductions[0], one if len(reductions) == 1 else several) if order.lanes and reductions else None
