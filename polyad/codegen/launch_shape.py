"""A launch of a GPU as its caller sees it: the kernel, what it is given, how many blocks of how many threads run."""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass, replace

from polyad.ir.affine import Affine
from polyad.machine.device import DEVICE

__all__ = ["Counts", "Geometry", "LaunchShape", "Parameter", "ProductShape"]

Counts = tuple[Affine | None, ...]
"""The iterations of loops, at most; None where no formula says."""


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
class ProductShape:
    """A contraction in the steps of a recurrence.

    Attributes:
        columns: the iterations of the loops of its columns, which blocks of a team have a part of each.
        terms: the same of its terms.
        size: bytes of an element of the second operand.
        stays: that operand may stay in shared memory.
    """

    columns: Counts
    terms: Counts
    size: int
    stays: bool


@dataclass(frozen=True, slots=True)
class Geometry:
    """How much of a device a launch asks for.

    Attributes:
        blocks: of the grid; none where there is nothing to do.
        threads: of a block.
        members: blocks of a cluster.
        room: bytes of shared memory of each block, beside what its kernel declares.
    """

    blocks: int
    threads: int
    members: int = 1
    room: int = 0


@dataclass(frozen=True, slots=True)
class LaunchShape:
    """One launch.

    How many blocks and threads there are changes no result: loops of the grid stride over their iterations, and teams
    have parts of whatever there is. With less room operands are read from memory in each step.

    Attributes:
        kernel: the name of its function.
        parameters: in order.
        over: one of the "threads" of a grid runs an iteration, or one of its "blocks", or such a block those of a tile
            ("tiles"); "teams" of blocks have a part of the iterations each, or one has all where there are no loops of
            the grid; a lone "block" or "thread" runs all.
        counts: the iterations of the loops of the grid, at most; None where no formula says.
        shared: the same of each loop, or several that are merged, that the threads of a block share.
        steps: threads of a block meet in the steps of a loop, where as many as there are work leave less to wait for.
        tiles: each loop of the grid counts "rows" or "columns" of tiles, or a "batch" of them.
        products: contractions in steps.
    """

    kernel: str
    parameters: tuple[Parameter, ...]
    over: str
    counts: Counts = ()
    shared: tuple[Counts, ...] = ()
    steps: bool = False
    tiles: tuple[str, ...] = ()
    products: tuple[ProductShape, ...] = ()

    def geometry(self, sizes: Mapping[str, int], clusters: bool = True) -> Geometry:
        """How much of a device it asks for at given sizes; `clusters`: the device has clusters of blocks."""
        iterations = _product(self.counts, sizes)
        if self.over == "threads":
            return Geometry(min(-(-iterations // DEVICE.threads), DEVICE.most_blocks), DEVICE.threads)
        if self.over == "thread":
            return Geometry(1, 1)
        if self.over == "tiles":
            rows, columns, batch = (self._in_tiles(group, sizes) for group in ("rows", "columns", "batch"))
            tiles = -(-rows // DEVICE.tile) * -(-columns // DEVICE.tile) * batch
            return Geometry(min(tiles, DEVICE.most_blocks), DEVICE.tile_threads)
        widest = max((_product(own, sizes) for own in self.shared), default=1)
        most = DEVICE.most_threads if self.steps else DEVICE.row_threads
        if self.products:
            widest = most = DEVICE.team_threads
        threads = min(max(-(-widest // DEVICE.warp), 1) * DEVICE.warp, most)
        if self.over != "teams":
            blocks = min(iterations, DEVICE.most_blocks) if self.over == "blocks" else 1
            return Geometry(blocks, threads, 1, self._room(sizes, 1))
        members = self._members(iterations, sizes) if clusters else 1
        teams = _even(iterations, max(DEVICE.multiprocessors // members, 1))
        return Geometry(teams * members, threads, members, self._room(sizes, members))

    def with_clusters(self, geometry: Geometry, sizes: Mapping[str, int], most: int) -> Geometry:
        """The same where a device runs so many clusters at a time: teams that wait for others to end come last."""
        teams = _even(_product(self.counts, sizes), max(most, 1))
        return replace(geometry, blocks=min(teams * geometry.members, geometry.blocks))

    def _members(self, iterations: int, sizes: Mapping[str, int]) -> int:
        """The blocks of a team: more where a step has work for them, until there is room and no block is idle."""
        work = sum(_product(p.columns, sizes) * _product(p.terms, sizes) for p in self.products)
        members = 1
        while members < DEVICE.most_members and members * DEVICE.member_work < work:
            fits = self._kept(sizes, members) <= DEVICE.room
            if fits and 2 * members * iterations > DEVICE.multiprocessors:
                break
            members *= 2
        return members

    def _room(self, sizes: Mapping[str, int], members: int) -> int:
        """Bytes for the operands that stay, or for those of them that have room."""
        return min(self._kept(sizes, members), DEVICE.room)

    def _kept(self, sizes: Mapping[str, int], members: int) -> int:
        kept = 0
        for p in self.products:
            terms = -(-_product(p.terms, sizes) // 4) * 4 + 4  # four places are free behind each column
            kept += -(-_product(p.columns, sizes) // members) * terms * p.size if p.stays else 0
        return kept

    def _in_tiles(self, group: str, sizes: Mapping[str, int]) -> int:
        """The iterations of the loops of a group."""
        return _product(tuple(c for c, own in zip(self.counts, self.tiles, strict=True) if own == group), sizes)


def _even(iterations: int, most: int) -> int:
    """As many teams as are needed where each has as many iterations as with most teams."""
    return -(-iterations // max(-(-iterations // most), 1))


def _product(counts: Counts, sizes: Mapping[str, int]) -> int:
    return math.prod(DEVICE.unknown if count is None else max(count.evaluate(sizes), 0) for count in counts)
