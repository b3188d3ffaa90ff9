"""The thread that does something, and what may happen at the same time.

A `Frame` is one execution of a construct that divides work: a loop in threads or in vector lanes, a region, a share. It
says what part of the work something belongs to, and in a region, between which barriers. Two accesses may happen at
the same time where a frame is around both, their parts of it differ, and no barrier lies between them.
"""

from __future__ import annotations

from dataclasses import dataclass, field

from polyad.codegen.certify.demands import Element

__all__ = ["ALL", "Cell", "Chain", "Frame", "RaceError", "at_once"]

ALL = "every thread"
"""The part of a region that each of its threads does for itself."""


@dataclass(frozen=True, slots=True)
class Frame:
    """One part of one execution of a construct.

    Attributes:
        construct: the number of the execution.
        part: of the work.
        epoch: how many barriers of the region came before; 0 elsewhere.
    """

    construct: int
    part: object
    epoch: int = 0


Chain = tuple[Frame, ...]
"""The frames around something, outermost first."""


class RaceError(Exception):
    """Two accesses to one place, one of them a write, may happen at the same time."""


def at_once(a: Chain, b: Chain) -> bool:
    """Whether what two chains are around may happen at the same time."""
    if a is b:
        return False
    for x, y in zip(a, b, strict=False):
        if x == y:
            continue
        return x.construct == y.construct and x.epoch == y.epoch
    return False


@dataclass(slots=True, eq=False)
class Cell:
    """A place in memory, or a C variable.

    Attributes:
        element: whose value it holds; None before anything is written.
        count: the contributions in it.
        by: who wrote it last, for messages.
        written: the chain of the last write.
        read: the chains of the reads since.
    """

    element: Element | None = None
    count: int = 0
    by: object = ""
    written: Chain = ()
    read: set[Chain] = field(default_factory=set)

    def on_read(self, chain: Chain) -> None:
        """Something reads it."""
        if at_once(self.written, chain):
            raise RaceError(f"is read while {self.by or 'another'} may write it")
        if chain:
            self.read.add(chain)

    def on_write(self, chain: Chain, by: object) -> None:
        """Something writes it."""
        if at_once(self.written, chain):
            raise RaceError(f"is written by {by} while {self.by or 'another'} may write it")
        if any(at_once(other, chain) for other in self.read):
            raise RaceError(f"is written by {by} while another thread may read it")
        if chain and any(frame.part == ALL for frame in chain):
            raise RaceError(f"is written by {by} in every thread of a region")
        self.written, self.by = chain, by
        self.read.clear()
