"""The record of a search for a faster schedule."""

from __future__ import annotations

from dataclasses import dataclass

from polyad.schedule.moves.move import Move

__all__ = ["Tuning"]


@dataclass(frozen=True, slots=True)
class Tuning:
    """A schedule that was found by measuring, and how.

    Attributes:
        moves: from the schedule that the kernel had, or would have without them, to this one, in order.
        before: seconds of a call with no moves made, the median.
        after: seconds of a call now, the median; both were measured in turns.
        timed: candidates that were measured.
        refused: those that are illegal or whose transform does not apply.
        dropped: those that crashed, took too long or too much memory, or were not certified.
        alike: those whose C had been measured already.
        certificate: what was proved of the loops and of their C.
        log: a line for each candidate that was taken or dropped.
        file: the schedule file that it was written to or read from; "" for none.
    """

    moves: tuple[Move, ...]
    before: float
    after: float
    timed: int = 0
    refused: int = 0
    dropped: int = 0
    alike: int = 0
    certificate: str = ""
    log: tuple[str, ...] = ()
    file: str = ""

    def __str__(self) -> str:
        """The times, and the moves as the calls that make them."""
        gain = f"{self.before / self.after:.2f} times as fast" if self.moves and self.after else "nothing was faster"
        counts = f"{self.timed} measured, {self.alike} alike, {self.refused} refused, {self.dropped} dropped"
        lines = [f"{_spelled(self.before)} -> {_spelled(self.after)}, {gain} ({counts})"]
        if self.certificate:
            lines.append(self.certificate)
        return "\n".join([*lines, *(f"s = {move}" for move in self.moves)])


def _spelled(seconds: float) -> str:
    for unit, size in (("s", 1.0), ("ms", 1e-3)):
        if seconds >= size:
            return f"{seconds / size:.3g} {unit}"
    return f"{seconds * 1e6:.3g} us"
