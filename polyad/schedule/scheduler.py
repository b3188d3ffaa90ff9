"""The default schedule of a program."""

from __future__ import annotations

import logging

from polyad import islx
from polyad.analysis.contraction import Contractions
from polyad.errors import ScheduleError
from polyad.ir.program import Program
from polyad.machine import MACHINE, Machine
from polyad.schedule.choose.regions import with_regions
from polyad.schedule.nests import nest
from polyad.schedule.schedule import Schedule
from polyad.schedule.state.problem import problem_of
from polyad.schedule.strategies import ALL, Strategies
from polyad.schedule.tree.nodes import to_isl
from polyad.schedule.tree.tree_text import settled_tree

__all__ = ["default_schedule"]

LOG = logging.getLogger("polyad")


def default_schedule(
    program: Program,
    strategies: Strategies = ALL,
    machine: Machine = MACHINE,
    contractions: Contractions | None = None,
) -> Schedule:
    """Find loops for all statements: legal, parallel outside, sequential where a recurrence asks for it.

    The same settled program gives the same schedule, which is settled. The time it takes depends on the statements,
    never on extents.

    Args:
        program: with explicit identity definitions (transforms.initialise).
        strategies: the optimisations to make.
        machine: what pays.
        contractions: of the program; found here when not given.

    Raises:
        ScheduleError: no affine order was found for a recurrence.
    """
    with islx.LOCK:
        try:
            given = problem_of(program, strategies, machine, contractions=contractions)
            tree = nest(given)
        except ScheduleError as problem:
            if not any(a.segment for a in program.arrays.values()):
                raise
            # It costs memory, but there is an order.
            what = "segments cannot run one at a time, so all of them are kept in memory"
            LOG.warning("%s: %s: %s", program.name, what, problem)
            given = problem_of(program, strategies, machine, by_segments=False, contractions=contractions)
            tree = nest(given)
        tree = with_regions(given, tree) if strategies.region else tree
        return Schedule(to_isl(program.domain(), settled_tree(tree)))
