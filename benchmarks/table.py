"""A run as a table: one row a case and number of threads."""

import statistics
from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from benchmarks.peers import BEFORE, library_of
from benchmarks.rounds import Measured
from benchmarks.worker import find
from benchmarks.workload import Case

__all__ = ["HEADING", "Row", "changes", "failures", "memory_text", "row_text", "rows", "time_text"]


@dataclass(frozen=True, slots=True)
class Row:
    """polyad and its peers on one case.

    Attributes:
        own: polyad; best: the fastest peer with right results, if any; others: all the rest.
        goal: own.median / best.median, at most; None where nothing was promised.
        wrong: whose results disagree.
    """

    case: Case
    own: Measured
    best: Measured | None
    others: tuple[Measured, ...]
    goal: float | None
    wrong: tuple[str, ...]

    @property
    def ratio(self) -> float | None:
        return None if self.own.error or self.best is None else self.own.median / self.best.median

    @property
    def before(self) -> Measured | None:
        """The polyad of another checkout."""
        return next((m for m in self.others if m.contender == BEFORE), None)

    @property
    def change(self) -> float | None:
        """own.median / before.median."""
        before = self.before
        return None if self.own.error or before is None or before.error else self.own.median / before.median

    @property
    def verdict(self) -> str:
        """In one word: met, missed, WRONG, failed, or nothing where there is no goal or no peer.

        A peer whose results are wrong is none; it is named below the row.
        """
        if self.own.error:
            return "failed"
        if self.own.contender in self.wrong:
            return "WRONG"
        if self.ratio is None or self.goal is None:
            return ""
        return "met" if self.ratio <= self.goal else "missed"


def rows(measured: Sequence[Measured]) -> list[Row]:
    """The rows of a run, in its order."""
    found: dict[tuple[str, str, int], list[Measured]] = {}
    for m in measured:
        found.setdefault((m.workload, m.case, m.threads), []).append(m)
    return [_row(group) for group in found.values()]


def _row(group: Sequence[Measured]) -> Row:
    own, *others = group
    cases = {c.title: c for c in find(own.workload).cases}
    case = cases[own.case]
    wrong = tuple(m.contender for m in group if m.apart is not None and not m.apart <= case.rtol)
    not_peers = {*wrong, *find(own.workload).aside}
    peers = [
        m
        for m in others
        if m.error is None and library_of(m.contender) not in ("polyad", BEFORE) and m.contender not in not_peers
    ]
    best = min(peers, key=lambda m: m.median, default=None)
    rest = tuple(m for m in others if m is not best)
    return Row(case, own, best, rest, case.goal.get(own.threads), wrong)


HEADING = (
    f"{'workload':18} {'case':28} {'threads':>7} {'polyad':>11} {'best peer':>30} {'ratio':>7} {'goal':>5} {'':7} "
    f"{'apart':>8} {'compile':>8} {'workspace':>10} {'peer':>10}"
)


def row_text(row: Row) -> str:
    """A line of the table, and what did not go well below it."""
    own, best = row.own, row.best
    peer = f"{best.contender} {time_text(best.median)}" if best else "-"
    line = (
        f"{own.workload:18} {own.case:28} {own.threads:7} {'-' if own.error else time_text(own.median):>11} {peer:>30} "
        f"{_number(row.ratio):>7} {_number(row.goal):>5} {row.verdict:7} {_apart(own.apart):>8} "
        f"{own.compile_seconds:6.2f} s {memory_text(own.workspace_bytes):>10} "
        f"{memory_text(best.grown_bytes if best else None):>10}"
    )
    rest = [f"{m.contender} {time_text(m.median)}" for m in row.others if not m.error and m is not row.before]
    notes = [f"also {', '.join(rest)}"] if rest else []
    if row.change is not None and row.before is not None:
        notes.append(f"before {time_text(row.before.median)}: {row.change:.2f} of it")
    notes += [f"{m.contender}: {m.error}" for m in (own, *row.others) if m.error]
    notes += [f"WRONG: {name}" for name in row.wrong]
    return "\n".join([line, *(f"    {note}" for note in notes)])


def changes(found: Sequence[Row]) -> list[str]:
    """How a run compares with the polyad of another checkout: a line for each number of threads."""
    lines = []
    for threads in sorted({row.own.threads for row in found}):
        ratios = [row.change for row in found if row.own.threads == threads and row.change is not None]
        if ratios:
            middle = f"median {statistics.median(ratios):.2f}, least {min(ratios):.2f}, greatest {max(ratios):.2f}"
            lines.append(f"over the polyad before, {threads} thread{'s' * (threads > 1)}: {middle}, of {len(ratios)}")
    return lines


def failures(found: Iterable[Row]) -> bool:
    """Whether anything is wrong with a run, other than a goal missed."""
    return any(row.verdict in ("WRONG", "failed") for row in found)


def _number(value: float | None) -> str:
    return "-" if value is None else f"{value:.2f}"


def _apart(value: float | None) -> str:
    return "-" if value is None else f"{value:.1e}"


def memory_text(value: int | None) -> str:
    """Bytes in the unit people would use for them."""
    if value is None:
        return "-"
    for unit, scale in (("GB", 1e9), ("MB", 1e6), ("kB", 1e3)):
        if value >= scale:
            return f"{value / scale:.1f} {unit}"
    return f"{value} B"


def time_text(value: float) -> str:
    """A time with the unit people would use for it."""
    for unit, scale in (("s", 1.0), ("ms", 1e-3)):
        if value >= scale:
            return f"{value / scale:.3f} {unit}"
    return f"{value / 1e-6:.3f} us"
