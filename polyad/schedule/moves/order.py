"""The order in which candidates are tried: what may gain most first, a little of everything before all of one kind.

Statements are ranked by the operations that they take at the sizes of the call, kinds of moves by a list, and moves of
one kind at loops of one statement as they stand in the tree. A candidate comes by the sum of its three places, so that
the second kind at the busiest loop is as early as the first kind at the second one. Names decide nothing.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from math import inf

from polyad.analysis.counting import instances
from polyad.analysis.statement_cost import statement_cost
from polyad.errors import ScheduleError
from polyad.ir.program import Program
from polyad.machine import MACHINE, Machine
from polyad.schedule.moves.move import Move, replay
from polyad.schedule.moves.neighbours import proposed_moves
from polyad.schedule.schedule import Schedule

__all__ = ["KINDS", "PRICED", "Priced", "Steps", "by_price", "candidates", "ranked", "work_of"]

KINDS = (
    *("interchange", "parallel", "vectorize", "jam", "unroll", "tile", "split", "fuse", "unmark", "sequential"),
    *("distribute", "region", "parts", "prefix", "skew", "reorder", "shift", "reverse"),
)
"""Transforms, from the one that most often pays."""

Steps = tuple[Move, ...]
"""Moves that are made one after the other before anything is measured."""


PRICED = 60
"""Candidates that are priced, of which each takes some hundredths of a second."""


@dataclass(frozen=True, slots=True)
class Priced:
    """Steps, and what they lead to.

    Attributes:
        steps: from some schedule.
        schedule: that they make; None where they do not fit it.
        price: of that; infinite where there is none.
    """

    steps: Steps
    schedule: Schedule | None
    price: float


def by_price(steps: Sequence[Steps], schedule: Schedule, price: Callable[[Schedule], float]) -> list[Priced]:
    """The first `PRICED` of some steps from a schedule, the cheapest first, and what does not fit last."""
    found = []
    for item in steps[:PRICED]:
        try:
            changed = replay(item, schedule)
            found.append(Priced(item, changed, price(changed)))
        except ScheduleError:
            found.append(Priced(item, None, inf))
    return sorted(found, key=lambda one: one.price)


def ranked(steps: Sequence[Steps], schedule: Schedule, price: Callable[[Schedule], float]) -> list[Steps]:
    """The same steps, the first `PRICED` of them in the order of their prices."""
    return [*(one.steps for one in by_price(steps, schedule, price)), *steps[PRICED:]]


def work_of(program: Program, sizes: Mapping[str, int], machine: Machine = MACHINE) -> dict[str, int]:
    """Statement -> the operations of all its instances."""
    counts = instances(program, sizes)
    return {s.name: counts[s.name] * statement_cost(s, machine) for s in program.statements}


def candidates(
    schedule: Schedule, work: Mapping[str, int], tried: Sequence[Steps] = (), machine: Machine = MACHINE
) -> list[Steps]:
    """All steps from a schedule, in the order above; those that were tried from another one come last.

    Where one loop runs on threads, another one can do so only if the first one does not: these are two moves, of which
    the first one alone gains nothing.

    Args:
        schedule: where they begin.
        work: statement -> operations.
        tried: steps that were measured before, and gained nothing.
        machine: by how many iterations loops are cut.
    """
    moves = proposed_moves(schedule, machine)
    steps = [s for move in moves for s in ((move,), *_instead(move, schedule, machine))]
    ranks = {s: i for i, s in enumerate(dict.fromkeys(sorted(work.values(), reverse=True)))}
    before = {*tried}
    seen: Counter[tuple[str, str]] = Counter()
    places: list[tuple[bool, int]] = []
    for item in steps:
        kind, statement = item[-1].name, _statement(item[-1])
        rank = ranks.get(work.get(statement, 0), len(ranks))
        places.append((item in before, KINDS.index(kind) + rank + seen[kind, statement]))
        seen[kind, statement] += 1
    return [steps[i] for i in sorted(range(len(steps)), key=lambda i: places[i])]


def _instead(move: Move, schedule: Schedule, machine: Machine) -> list[Steps]:
    """Steps that free a loop of its threads and put another loop of its statement in their place."""
    if move.name != "sequential":
        return []
    try:
        changed = move.apply(schedule)
    except ScheduleError:
        return []
    others = [m for m in proposed_moves(changed, machine) if m.name == "parallel" and m.arguments != move.arguments]
    return [(move, m) for m in others if _statement(m) == _statement(move)]


def _statement(move: Move) -> str:
    """The statement that gives its loop, or the first of its sequence, a name."""
    match move.arguments:
        case ((str(name), *_), *_):
            return name
    raise ScheduleError(f"{move} names no statement")
