"""Checkpointing policies: which steps of a scan keep their state for the backward pass."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cache
from itertools import accumulate, pairwise
from operator import mul
from typing import Any

from polyad.errors import DefinitionError

__all__ = ["Checkpoint", "binomial", "every", "sqrt"]


@dataclass(frozen=True, slots=True)
class Checkpoint:
    """Keep the state at the start of each segment, and run a segment again before its backward pass.

    Attributes:
        segments: numbers of steps, from the outermost level to the innermost; () where the length decides.
        slots: how many states there may be at a time; None for about twice the root of the length, by one level.
    """

    segments: tuple[int, ...] = ()
    slots: int | None = None

    def __str__(self) -> str:
        if self.segments:
            return f"checkpoint.every({', '.join(map(str, self.segments))})"
        return "checkpoint.sqrt()" if self.slots is None else f"checkpoint.binomial({self.slots})"

    def steps(self, length: int) -> tuple[int, ...]:
        """Steps per segment, by level, for a scan of that length; () where it keeps all states.

        Raises:
            DefinitionError: that few states do not do; says how many would.
        """
        if self.segments:
            return self.segments
        if self.slots is not None:
            return _within(length, self.slots)
        root = max(1, int(length**0.5))
        return (root if root * root >= length else root + 1,)


def every(n: Any, *parts: Any) -> Checkpoint:
    """Keep one state in n; a segment of n steps is run again before its backward pass.

    With more numbers, segments are made of segments: `every(100, 10)` keeps one state in 100, runs such a segment again
    for one state in 10 of it, and each 10 steps once more before their backward pass. There are then about
    T / 100 + 10 + 10 states at a time in place of T / 10 + 10 (docs/mathematics.md, eq. 17), and each step is computed
    three times, as against twice.

    Args:
        n: steps of a segment.
        parts: steps of the segments that it is made of, and so on; each number divides the one before.

    Raises:
        DefinitionError: not positive integers, or one that does not divide the one before.
    """
    given = (n, *parts)
    for m in given:
        if isinstance(m, bool) or not isinstance(m, int) or m < 1:
            raise DefinitionError(f"checkpoint.every({m!r}): the number of steps per segment is a positive integer")
    for whole, part in pairwise(given):
        if whole % part or whole == part:
            raise DefinitionError(
                f"checkpoint.every({', '.join(map(str, given))}): segments of {whole} steps are not made of several "
                f"segments of {part}: give a number that divides {whole}, as {_divisor(whole)}"
            )
    return Checkpoint(given)


def sqrt() -> Checkpoint:
    """About as many states kept as a segment has steps: the least memory with each step computed twice."""
    return Checkpoint()


def binomial(slots: Any) -> Checkpoint:
    """At most so many states at a time, with as few levels of segments as that allows.

    With L levels a step is computed L + 1 times, and there are as few states (docs/mathematics.md, eq. 17) as segments
    of L levels can do with. Where all T + 1 states are not more than `slots`, all are kept.

    Raises:
        DefinitionError: not a positive integer; in `scan`, too few for any number of levels.
    """
    if isinstance(slots, bool) or not isinstance(slots, int) or slots < 1:
        raise DefinitionError(f"checkpoint.binomial({slots!r}): the number of states is a positive integer")
    return Checkpoint(slots=slots)


def _within(length: int, slots: int) -> tuple[int, ...]:
    """The segments of the fewest levels that need no more than `slots` states."""
    if length + 1 <= slots:
        return ()
    factors: tuple[int, ...] = (length,)
    for levels in range(1, max(2, length.bit_length())):
        factors = _factors(length, levels)
        if sum(factors) + 2 <= slots:
            return tuple(accumulate(reversed(factors[1:]), mul))[::-1]
    least = min(sum(_factors(length, levels)) + 2 for levels in range(1, max(2, length.bit_length())))
    raise DefinitionError(
        f"checkpoint.binomial({slots}): no segments of {length} steps do with {slots} states at a time; "
        f"{min(least, length + 1)} are the least"
    )


@cache
def _factors(length: int, levels: int) -> tuple[int, ...]:
    """Numbers, one more than levels, whose product is at least the length and whose sum is the least.

    As ceil(ceil(T / a) / b) = ceil(T / (a b)), the innermost one can be chosen first.
    """
    if levels == 0:
        return (length,)
    root = round(length ** (1 / (levels + 1)))
    found = [(*_factors(-(-length // m), levels - 1), m) for m in range(max(2, root // 2), 2 * root + 3)]
    return min(found, key=sum)


def _divisor(whole: int) -> int:
    """The largest number that divides another one, and is not more than its root."""
    return next(m for m in range(int(whole**0.5), 0, -1) if whole % m == 0)
