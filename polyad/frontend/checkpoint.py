"""Checkpointing policies: which steps of a scan keep their state for the backward pass."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from polyad.errors import DefinitionError

__all__ = ["Checkpoint", "every", "sqrt"]


@dataclass(frozen=True, slots=True)
class Checkpoint:
    """Keep the state at the start of each segment of `segment` steps; None: about sqrt(length) steps each."""

    segment: int | None

    def steps(self, length: int) -> int:
        """Steps per segment for a scan of that length."""
        if self.segment is not None:
            return self.segment
        root = max(1, int(length**0.5))
        return root if root * root >= length else root + 1


def every(n: Any) -> Checkpoint:
    """Keep one state in n; a segment of n steps is run again before its backward pass.

    Raises:
        DefinitionError: n is not a positive integer.
    """
    if isinstance(n, bool) or not isinstance(n, int) or n < 1:
        raise DefinitionError(f"checkpoint.every({n!r}): the number of steps per segment is a positive integer")
    return Checkpoint(n)


def sqrt() -> Checkpoint:
    """About as many states kept as a segment has steps: the least memory."""
    return Checkpoint(None)
