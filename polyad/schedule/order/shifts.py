"""Shifts of rows that leave no dependence backwards: potentials of a graph, kept while statements join one by one.

A dependence from a to b at the least distance d asks for shift(b) >= shift(a) - d. Such shifts exist unless a circle of
dependences asks for more than it gives.

Source: S. Cotton, O. Maler, Fast and flexible difference constraint propagation, 2006.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from polyad.schedule.order.delays import Bound

__all__ = ["Shifts", "comes_round"]


@dataclass(frozen=True, slots=True, eq=False)
class Shifts:
    """Shifts of some statements that no dependence between them is against.

    Attributes:
        of: statement -> its shift.
        after: statement -> those that depend on it, each with the least distance.
    """

    of: Mapping[str, int]
    after: Mapping[str, Sequence[tuple[str, int]]]

    def with_statement(self, name: str, bounds: Sequence[Bound]) -> Shifts | None:
        """Shifts of one statement more, or None: then it is in a circle that no shifts fix.

        Args:
            name: of the statement.
            bounds: of the dependences between it and the others.
        """
        of, after = dict(self.of), dict(self.after)
        of[name] = max((of[e.source] - bound for e, bound in bounds if e.source != name), default=0)
        for e, bound in bounds:
            if e.source == e.sink and bound < 0:
                return None
            if e.source != e.sink:
                after[e.source] = [*after.get(e.source, ()), (e.sink, bound)]
        waiting = deque([name])
        while waiting:
            source = waiting.popleft()
            for sink, bound in after.get(source, ()):
                if of[sink] < of[source] - bound:
                    if sink == name:
                        return None
                    of[sink] = of[source] - bound
                    waiting.append(sink)
        return Shifts(of, after)


def comes_round(moved_by: Mapping[str, str]) -> bool:
    """Whether some statement moved another, which moved another, ..., which moved the first."""
    settled: set[str] = set()
    for start in moved_by:
        path: set[str] = set()
        here: str | None = start
        while here is not None and here not in settled:
            if here in path:
                return True
            path.add(here)
            here = moved_by.get(here)
        settled |= path
    return False
