"""Checkpointing policies: which steps of a scan keep their state for the backward pass."""

from __future__ import annotations

from dataclasses import dataclass
from itertools import pairwise
from typing import Any

from polyad.errors import DefinitionError

__all__ = ["Checkpoint", "every", "sqrt"]


@dataclass(frozen=True, slots=True)
class Checkpoint:
    """Keep the state at the start of each segment; None: segments of about sqrt(length) steps.

    Attributes:
        segments: numbers of steps, from the outermost level to the innermost.
    """

    segments: tuple[int, ...] | None

    def steps(self, length: int) -> tuple[int, ...]:
        """Steps per segment, by level, for a scan of that length."""
        if self.segments is not None:
            return self.segments
        root = max(1, int(length**0.5))
        return (root if root * root >= length else root + 1,)


def every(*n: Any) -> Checkpoint:
    for m in n:
        if isinstance(m, bool) or not isinstance(m, int) or m < 1:
            raise DefinitionError(f"checkpoint.every({m!r}): the number of steps per segment is a positive integer")
    return Checkpoint(tuple(n))


def sqrt() -> Checkpoint:
    """About as many states kept as a segment has steps: the least memory."""
    return Checkpoint(None)
