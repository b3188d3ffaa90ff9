"""Candidates made and measured in a child process, which is started again when one of them takes it along."""

from __future__ import annotations

import time
from collections.abc import Callable
from typing import Any, TypeVar

from polyad.tuning import bench
from polyad.tuning.bench import Built, Moves, Setup
from polyad.tuning.child import Child, FailedError, LostError
from polyad.tuning.search import DroppedError, EndedError, RefusedError

__all__ = ["Laboratory"]

FIRST = 5.0
"""Seconds that making a candidate may take in any case."""

AS_LONG = 10.0
"""Times as long as the first one, or the best one, that making and calling a candidate may take."""

GRACE = 2.0
"""Times as long as making the first one that the last one may take when the time is over."""

SHARE = 1 / 30
"""Part of all the time that measuring one candidate may take."""

Result = TypeVar("Result")


class Laboratory:
    """Trials of a search (search.py).

    The time that there is begins when the schedule to begin at was measured: before, a kernel is only made and called.
    """

    def __init__(
        self,
        setup: Setup,
        seconds: float,
        build: Callable[[Moves], Built] = bench.build,
        compare: Callable[[Moves, Moves, float], tuple[list[float], list[float]]] = bench.compare,
    ):
        self._setup, self._seconds = setup, seconds
        self._build, self._compare = build, compare
        self._child: Child | None = None
        self._end: float | None = None  # when the time is over
        self._made: float | None = None  # seconds that making the first one took
        self._call: float | None = None  # seconds of a call of it

    def build(self, moves: Moves) -> Built:
        """See `Trials`."""
        start = time.monotonic()
        # What is nearly done when the time is over may end: another child would take longer to start.
        limit = None if self._made is None else min(FIRST + AS_LONG * self._made, self.left() + GRACE * self._made)
        built = self._ask(limit, self._build, moves)
        if self._made is None:
            self._made = time.monotonic() - start
        return built

    def compare(self, old: Moves, new: Moves) -> tuple[list[float], list[float]]:
        """See `Trials`."""
        seconds = SHARE * self._seconds
        limit = None if self._call is None else seconds + FIRST + AS_LONG * self._call
        times = self._ask(limit, self._compare, old, new, seconds)
        if self._call is None:
            self._call = min(times[0])
            self._end = time.monotonic() + self._seconds
        return times

    def left(self) -> float:
        """The seconds that are left."""
        return self._seconds if self._end is None else self._end - time.monotonic()

    def extend(self, seconds: float) -> None:
        """Let the time end later."""
        self._end = time.monotonic() + max(seconds, self.left())

    def close(self) -> None:
        """End the child."""
        if self._child is not None:
            self._child.close()
            self._child = None

    def _ask(self, limit: float | None, function: Callable[..., Result], *arguments: Any) -> Result:
        """Have the child do something, in some seconds, or in any."""
        if self.left() <= 0:
            raise EndedError
        try:
            if self._child is None:
                self._child = Child()
                self._child.call(bench.begin, self._setup)
            return self._child.call(function, *arguments, timeout=limit)
        except LostError as problem:
            self._child = None
            if self.left() <= 0:
                raise EndedError from None
            raise DroppedError(str(problem)) from None
        except FailedError as problem:
            if "ScheduleError" in problem.kind:
                raise RefusedError(str(problem)) from None
            if "MemoryError" in problem.kind:
                self.close()  # who knows what is missing there now
                raise DroppedError("takes too much memory") from None
            raise DroppedError(f"{problem.kind[0]}: {problem}") from None
