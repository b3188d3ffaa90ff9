"""The search: greedy from the best schedule so far, with a few others that are nearly as good to go on from.

It asks `Trials` for everything that takes time, and they end it when there is none left: tests have their own.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from statistics import median
from typing import Protocol

from polyad.errors import ScheduleError
from polyad.islx import interruptible
from polyad.machine import MACHINE, Machine
from polyad.schedule.moves.move import Move, replay
from polyad.schedule.moves.order import Steps, candidates, ranked
from polyad.schedule.schedule import Schedule
from polyad.tuning.bench import Built
from polyad.tuning.noise import is_faster

__all__ = ["BEAM", "INTERRUPTED", "DroppedError", "EndedError", "Found", "RefusedError", "Trials", "search"]

BEAM = 3
"""Schedules that are gone on from: the best one, and the fastest others when it has no untried neighbours left."""

INTERRUPTED = "interrupted"
"""The last line of the log after Ctrl-C."""

Moves = tuple[Move, ...]


class RefusedError(Exception):
    """A candidate is illegal, or its moves do not fit."""


class DroppedError(Exception):
    """A candidate crashed, took too long or too much memory, or was not certified."""


class EndedError(Exception):
    """There is no time left."""


class Trials(Protocol):
    """Makes and measures candidates, each given by all of its moves."""

    def build(self, moves: Moves) -> Built:
        """Prove a candidate legal, compile and certify it; raises RefusedError, DroppedError or EndedError."""

    def compare(self, old: Moves, new: Moves) -> tuple[Sequence[float], Sequence[float]]:
        """Seconds of calls of both, measured in turns; raises DroppedError or EndedError."""


@dataclass(slots=True)
class _Point:
    """A schedule to go on from.

    Attributes:
        moves: that lead to it.
        schedule: it.
        seconds: of a call.
        left: steps that were not tried yet; None before the first was asked for.
    """

    moves: Moves
    schedule: Schedule
    seconds: float
    left: list[Steps] | None = None


@dataclass(slots=True)
class Found:
    """The result so far; complete at every moment.

    Attributes:
        moves: of the best schedule.
        seconds: of a call of it.
        first: of a call of the one that the search began at.
        certificate: what was proved of it.
        counts: of `timed`, `refused`, `dropped` and `alike`.
        log: a line for each candidate that was taken or dropped.
    """

    moves: Moves
    seconds: float
    first: float
    certificate: str
    counts: Counter[str] = field(default_factory=Counter)
    log: list[str] = field(default_factory=list)

    @property
    def tried(self) -> int:
        """The candidates so far."""
        return sum(self.counts.values())


def search(
    base: Schedule,
    begin: Moves,
    trials: Trials,
    work: Mapping[str, int],
    say: Callable[[Found], None],
    machine: Machine = MACHINE,
    price: Callable[[Schedule], float] | None = None,
) -> Found:
    """Look for moves that make calls faster, until there are none left or no time; see the module.

    Ctrl-C ends it too: what was found is kept.

    Args:
        base: the schedule without any moves.
        begin: those of the schedule to begin at.
        trials: makes and measures.
        work: statement -> operations, by which candidates are ordered.
        say: is told after each candidate.
        machine: by how many iterations loops are cut.
        price: of a schedule: the first candidates are tried in the order of their prices (decision 82).

    Raises:
        RefusedError: the schedule to begin at is illegal.
        DroppedError: it cannot be measured.
        EndedError: there was no time for that.
    """
    built = trials.build(begin)
    times, _ = trials.compare(begin, begin)
    found = Found(begin, median(times), median(times), built.certificate)
    start = replay(begin, base)
    state = _State(
        trials, work, machine, found, {built.code}, {str(start)}, [_Point(begin, start, found.seconds)], price
    )
    try:
        with interruptible():
            while (step := state.next_step()) is not None:
                if state.take(*step):
                    say(found)
    except EndedError:
        pass
    except KeyboardInterrupt:
        found.log.append(INTERRUPTED)
    return found


@dataclass(slots=True)
class _State:
    """A search on its way.

    Attributes:
        codes: digests of the C that was measured.
        texts: of the schedules that were looked at.
        beam: where to go on from.
        price: of a schedule.
        tried: steps that were tried from some schedule.
    """

    trials: Trials
    work: Mapping[str, int]
    machine: Machine
    found: Found
    codes: set[str]
    texts: set[str]
    beam: list[_Point]
    price: Callable[[Schedule], float] | None
    tried: dict[Steps, None] = field(default_factory=dict)

    def next_step(self) -> tuple[_Point, Steps] | None:
        """The next steps from the best schedule that has some left."""
        for point in self.beam:
            if point.left is None:
                steps = candidates(point.schedule, self.work, [*self.tried], self.machine)
                point.left = steps if self.price is None else ranked(steps, point.schedule, self.price)
            if point.left:
                return point, point.left.pop(0)
        return None

    def take(self, point: _Point, steps: Steps) -> bool:
        """Try steps from a point; False where they make no new schedule."""
        try:
            changed = replay(steps, point.schedule)
        except ScheduleError:
            return False
        text = str(changed)
        if text in self.texts:
            return False
        self.texts.add(text)
        self.tried[steps] = None
        found, moves = self.found, (*point.moves, *steps)
        try:
            built = self.trials.build(moves)
            if built.code in self.codes:
                found.counts["alike"] += 1
                return True
            self.codes.add(built.code)
            if not built.proved:
                raise DroppedError(f"it could not be certified: {built.certificate}")
            old, new = self.trials.compare(found.moves, moves)
        except RefusedError:
            found.counts["refused"] += 1
            return True
        except DroppedError as problem:
            found.counts["dropped"] += 1
            found.log.append(f"{_text(moves)}: dropped, {problem}")
            return True
        found.counts["timed"] += 1
        seconds = median(new)
        if is_faster(old, new):
            gain = median(old) / seconds
            found.log.append(f"{_text(moves)}: {gain:.2f} times as fast")
            found.moves, found.seconds, found.certificate = moves, seconds, built.certificate
        else:
            seconds *= found.seconds / median(old)
        # The best one stays in front, and what is too slow falls out.
        points = [*self.beam, _Point(moves, changed, seconds)]
        self.beam = sorted(points, key=lambda p: (p.moves != found.moves, p.seconds))[:BEAM]
        return True


def _text(moves: Moves) -> str:
    """The calls in one line."""
    return "; ".join(map(str, moves)) or "no moves"
