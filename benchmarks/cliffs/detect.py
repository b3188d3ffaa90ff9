"""Cliffs in measured times: steps between neighbouring sizes, and wordings that are apart."""

import itertools
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

__all__ = ["LIMIT", "Cliff", "Time", "cliffs"]

LIMIT = 1.3
"""The ratio that two times may have."""


@dataclass(frozen=True, slots=True)
class Time:
    """One measured kernel.

    Attributes:
        program, kind, wording: which one; a kind is "value" or "gradient".
        N: its size.
        per_point: nanoseconds a point.
    """

    program: str
    kind: str
    wording: str
    N: int
    per_point: float


@dataclass(frozen=True, slots=True)
class Cliff:
    """Two times that are too far apart.

    Attributes:
        slow, fast: the two.
    """

    slow: Time
    fast: Time

    @property
    def ratio(self) -> float:
        return self.slow.per_point / self.fast.per_point

    @property
    def kind(self) -> str:
        """The things that are apart: "step" or "wording"."""
        return "step" if self.slow.wording == self.fast.wording else "wording"

    def __str__(self) -> str:
        slow, fast = self.slow, self.fast
        which = f"{slow.program} {slow.kind}"
        if self.kind == "step":
            what, names = f"{slow.wording}, N = {slow.N}", f"N = {fast.N}"
        else:
            what, names = f"N = {slow.N}, {slow.wording}", fast.wording
        return f"{self.ratio:6.2f}  {which:28} {what:26} {slow.per_point:9.3f} ns a point; {names} {fast.per_point:.3f}"


def cliffs(times: Sequence[Time], limit: float = LIMIT) -> list[Cliff]:
    """The worst of each program, kind and sort, those with the largest ratio first.

    Sizes that follow each other directly should cost the same for each point, in both directions; beyond a gap, a
    larger one may cost less: what does not depend on the size is shared by more points.
    """
    worst: dict[tuple[str, str, str], Cliff] = {}
    for cliff in (*_steps(times), *_wordings(times)):
        key = (cliff.slow.program, cliff.slow.kind, cliff.kind)
        if cliff.ratio > limit and (key not in worst or cliff.ratio > worst[key].ratio):
            worst[key] = cliff
    return sorted(worst.values(), key=lambda c: -c.ratio)


def _steps(times: Sequence[Time]) -> Iterator[Cliff]:
    curves = sorted(times, key=lambda t: (t.program, t.kind, t.wording, t.N))
    for _, curve in itertools.groupby(curves, key=lambda t: (t.program, t.kind, t.wording)):
        for small, large in itertools.pairwise(curve):
            if large.N - small.N > 1 or large.per_point > small.per_point:
                yield Cliff(slow=large, fast=small)
            else:
                yield Cliff(slow=small, fast=large)


def _wordings(times: Sequence[Time]) -> Iterator[Cliff]:
    by_size = sorted(times, key=lambda t: (t.program, t.kind, t.N))
    for _, same in itertools.groupby(by_size, key=lambda t: (t.program, t.kind, t.N)):
        rows = sorted(same, key=lambda t: t.per_point)
        if len(rows) > 1:
            yield Cliff(slow=rows[-1], fast=rows[0])
