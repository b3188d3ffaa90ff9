"""A launch of a GPU as its caller sees it: the kernel, what it is given, how many blocks of how many threads run."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from polyad.ir.affine import Affine
from polyad.machine.device import DEVICE

__all__ = ["LaunchShape", "Parameter"]


@dataclass(frozen=True, slots=True)
class Parameter:
    """An argument of a kernel.

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
        over: one of the "threads" of a grid runs an iteration, or one of its "blocks", or such a block those of a tile
            ("tiles"); a lone "block" or "thread" runs all.
        counts: the iterations of the loops of the grid, at most; None where no formula says.
        shared: the same of each loop, or several that are merged, that the threads of a block share.
        steps: threads of a block meet in the steps of a loop, where as many as there are work leave less to wait for.
        tiles: each loop of the grid counts "rows" or "columns" of tiles, or a "batch" of them.
    """

    kernel: str
    parameters: tuple[Parameter, ...]
    over: str
    counts: tuple[Affine | None, ...] = ()
    shared: tuple[tuple[Affine | None, ...], ...] = ()
    steps: bool = False
    tiles: tuple[str, ...] = ()

    def geometry(self, sizes: Mapping[str, int]) -> tuple[int, int]:
        """The number of blocks, and of threads in each, at given sizes; no blocks where there is nothing to do."""
        iterations = _product(self.counts, sizes)
        if self.over == "threads":
            return min(-(-iterations // DEVICE.threads), DEVICE.most_blocks), DEVICE.threads
        if self.over == "thread":
            return 1, 1
        if self.over == "tiles":
            rows, columns, batch = (self._in_tiles(group, sizes) for group in ("rows", "columns", "batch"))
            tiles = -(-rows // DEVICE.tile) * -(-columns // DEVICE.tile) * batch
            return min(tiles, DEVICE.most_blocks), DEVICE.tile_threads
        widest = max((_product(own, sizes) for own in self.shared), default=1)
        threads = min(
            max(-(-widest // DEVICE.warp), 1) * DEVICE.warp, DEVICE.most_threads if self.steps else DEVICE.row_threads
        )
        return (min(iterations, DEVICE.most_blocks), threads) if self.over == "blocks" else (1, threads)

    def _in_tiles(self, group: str, sizes: Mapping[str, int]) -> int:
        """The iterations of the loops of a group."""
        return _product([c for c, own in zip(self.counts, self.tiles, strict=True) if own == group], sizes)


def _product(counts: Sequence[Affine | None], sizes: Mapping[str, int]) -> int:
    return math.prod(DEVICE.unknown if count is None else max(count.evaluate(sizes), 0) for count in counts)
