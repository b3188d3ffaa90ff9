"""A launch of a GPU as its caller sees it: the kernel, what it is given, how many blocks of how many threads run."""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass

from polyad.ir.affine import Affine

__all__ = ["LaunchShape", "Parameter"]

WARP = 32
"""Threads that run in step; blocks have whole warps."""

THREADS = 128
"""Of a block of a grid: enough to hide latencies, and so few that short loops fill several multiprocessors."""

MOST_THREADS = 256
"""Of a block whose threads meet."""

MOST_BLOCKS = 65536
"""More iterations than these blocks have threads are handed round: several times what any device holds at once."""

UNKNOWN = 4096
"""Iterations that are assumed where no formula of the sizes says how many there are; all of them run in any case."""


@dataclass(frozen=True, slots=True)
class Parameter:
    """What a kernel is given.

    Attributes:
        kind: a "size", an "array" of the call, a "slot" of the workspace, or the words for the "status".
        name: of the size or array, or the number of the slot.
    """

    kind: str
    name: str = ""


@dataclass(frozen=True, slots=True)
class LaunchShape:
    """One launch.

    How many blocks and threads there are changes no result: loops of the grid stride over their iterations.

    Attributes:
        kernel: the name of its function.
        parameters: in order.
        over: one iteration of the grid is run by one of its "threads" or by one of its "blocks"; a lone "block" or
            "thread" runs all.
        counts: the iterations of the loops of the grid, at most; None where no formula says.
        shared: the same of each loop, or several that are merged, that the threads of a block share.
    """

    kernel: str
    parameters: tuple[Parameter, ...]
    over: str
    counts: tuple[Affine | None, ...] = ()
    shared: tuple[tuple[Affine | None, ...], ...] = ()

    def geometry(self, sizes: Mapping[str, int]) -> tuple[int, int]:
        """The number of blocks, and of threads in each, at given sizes; no blocks where there is nothing to do."""
        iterations = _product(self.counts, sizes)
        if self.over == "threads":
            return min(-(-iterations // THREADS), MOST_BLOCKS), THREADS
        if self.over == "thread":
            return 1, 1
        widest = max((_product(own, sizes) for own in self.shared), default=1)
        threads = min(max(-(-widest // WARP), 1) * WARP, MOST_THREADS)
        return (min(iterations, MOST_BLOCKS), threads) if self.over == "blocks" else (1, threads)


def _product(counts: Sequence[Affine | None], sizes: Mapping[str, int]) -> int:
    return math.prod(_counted(counts, sizes))


def _counted(counts: Iterable[Affine | None], sizes: Mapping[str, int]) -> Iterable[int]:
    return (UNKNOWN if count is None else max(count.evaluate(sizes), 0) for count in counts)
