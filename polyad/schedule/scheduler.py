"""The default schedule of a program."""

from __future__ import annotations

from polyad import islx
from polyad.errors import ScheduleError
from polyad.ir.program import Program
from polyad.schedule.nests import nest
from polyad.schedule.problem import problem_of
from polyad.schedule.schedule import Schedule
from polyad.schedule.tree import to_isl

__all__ = ["default_schedule"]


def default_schedule(program: Program) -> Schedule:
    """Find loops for all statements: legal, parallel outside, sequential where a recurrence asks for it.

    The same program gives the same schedule; the time it takes depends on the statements, never on extents.

    Args:
        program: with explicit identity definitions (transforms.initialise).

    Raises:
        ScheduleError: no affine order was found for a recurrence.
    """
    with islx.LOCK:
        try:
            tree = nest(problem_of(program))
        except ScheduleError:
            if not any(a.role == "recomputed" for a in program.arrays.values()):
                raise
            tree = nest(problem_of(program, by_segments=False))  # an order there is, if not one that saves memory
        return Schedule(to_isl(program.domain(), tree))
