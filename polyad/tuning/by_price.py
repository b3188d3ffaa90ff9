"""The order of candidates by their prices: what ought to be the cheapest is measured first (decision 82).

A price takes some hundredths of a second, and a measurement with its proof half a second or more, so that it pays to
price the first few dozen. The others follow in the order in which they came.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence

from polyad.errors import ScheduleError
from polyad.kernel import Kernel
from polyad.schedule.moves.move import replay
from polyad.schedule.moves.order import Steps
from polyad.schedule.schedule import Schedule

__all__ = ["Rank", "by_price"]

PRICED = 60
"""Candidates that are priced: a second or two of a search."""

Rank = Callable[[Sequence[Steps], Schedule], list[Steps]]
"""(candidates, the schedule that they begin at) -> the same in another order."""


def by_price(kernel: Kernel, sizes: Mapping[str, int], threads: int) -> Rank:
    """Candidates in the order of their prices.

    Args:
        kernel: whose program the schedules are of.
        sizes: all named sizes.
        threads: that run it.
    """

    def ranked(steps: Sequence[Steps], schedule: Schedule) -> list[Steps]:
        first = [(price(s, schedule), i, s) for i, s in enumerate(steps[:PRICED])]
        return [s for _, _, s in sorted(first, key=lambda priced: priced[:2])] + [*steps[PRICED:]]

    def price(steps: Steps, schedule: Schedule) -> float:
        try:
            return replay(steps, schedule).price(kernel, threads=threads, **sizes).total
        except ScheduleError:
            return float("inf")  # the search sees what is wrong

    return ranked
