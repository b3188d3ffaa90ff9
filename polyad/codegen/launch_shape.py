"""A launch of a GPU as its caller sees it: the kernel, what it is given, how many blocks of how many threads run."""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass, replace

from polyad.ir.affine import Affine
from polyad.machine.device import DEVICE, LIMITS, Limits, TileShape

__all__ = ["Counts", "Geometry", "LaunchShape", "Parameter", "ProductShape"]

Counts = tuple[Affine | None, ...]
"""The iterations of loops, at most; None where no formula says."""


@dataclass(frozen=True, slots=True)
class Parameter:
    """An argument of a kernel.

    Attributes:
        kind: a "size", an "array" of the call, a "slot" of the workspace, the words for the "status", words that are 0,
            32 of them for each team, in which its blocks count who has come to "meetings", or the "members" of such a
            team; 0 where they are a cluster.
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
        members: blocks of a team.
        room: bytes of shared memory of each block, beside what its kernel declares.
        counts: blocks of a team are no cluster; they count in memory who has come, and have to run at the same time.
    """

    blocks: int
    threads: int
    members: int = 1
    room: int = 0
    counts: bool = False


@dataclass(frozen=True, slots=True)
class LaunchShape:
    """One launch.

    How many blocks and threads there are changes no result: loops of the grid stride over their iterations, and teams
    have parts of whatever there is. With less room operands are read from memory in each step.

    Attributes:
        kernel: the name of its function.
        parameters: in order.
        over: one of the "threads" of a grid runs an iteration, or one of its "blocks", or such a block those of a tile
            ("tiles"), or a segment of the rows of a prefix scan ("scans"); "teams" of blocks have a part of the
            iterations each, or one has all where there are no loops of the grid; a lone "block" or "thread" runs all.
        counts: the iterations of the loops of the grid, at most; None where no formula says.
        shared: the same of each loop, or several that are merged, that the threads of a block share; or of the steps of
            a scan in segments.
        steps: threads of a block meet in the steps of a loop, where as many as there are work leave less to wait for.
        tiles: each loop of the grid counts "rows" or "columns" of tiles, or a "batch" of them.
        products: contractions in steps.
        lanes: rows of a scan that a block has.
        tile: what a block computes at a time.
    """

    kernel: str
    parameters: tuple[Parameter, ...]
    over: str
    counts: Counts = ()
    shared: tuple[Counts, ...] = ()
    steps: bool = False
    tiles: tuple[str, ...] = ()
    products: tuple[ProductShape, ...] = ()
    lanes: int = 1
    tile: TileShape | None = None

    def geometry(self, sizes: Mapping[str, int], limits: Limits = LIMITS) -> Geometry:
        """How much of a device it asks for at given sizes."""
        iterations = _product(self.counts, sizes)
        if self.over == "threads":
            return Geometry(min(-(-iterations // DEVICE.threads), DEVICE.most_blocks), DEVICE.threads)
        if self.over == "thread":
            return Geometry(1, 1)
        if self.tile is not None:
            rows, columns, batch = (self._in_tiles(group, sizes) for group in ("rows", "columns", "batch"))
            tiles = -(-rows // self.tile.rows) * -(-columns // self.tile.columns) * batch
            return Geometry(min(tiles, DEVICE.most_blocks), self.tile.threads)
        if self.over == "scans":
            return Geometry(min(self._segments(iterations, sizes), DEVICE.most_blocks), DEVICE.row_threads)
        widest = max((_product(own, sizes) for own in self.shared), default=1)
        most = DEVICE.most_threads if self.steps else DEVICE.row_threads
        if self.products:
            widest = most = DEVICE.team_threads
        threads = min(max(-(-widest // DEVICE.warp), 1) * DEVICE.warp, most)
        if self.over != "teams":
            blocks = min(iterations, DEVICE.most_blocks) if self.over == "blocks" else 1
            asked = self._kept(sizes, 1) + self._first_operands(1, sizes)
            return Geometry(blocks, threads, 1, max(min(asked, limits.shared - DEVICE.own_shared), 0))
        return self._teams(iterations, threads, sizes, limits)

    def _teams(self, rows: int, threads: int, sizes: Mapping[str, int], limits: Limits) -> Geometry:
        """Blocks for teams that have a part of the rows each: more a team where a step has work for them.

        Clusters are preferred, whose blocks meet sooner; where there is no room in one for what stays, blocks count.
        """
        room = limits.shared - DEVICE.own_shared
        work = sum(_product(p.columns, sizes) * _product(p.terms, sizes) for p in self.products)
        members = 1
        while members < limits.multiprocessors and members * DEVICE.member_work < work:
            if self._kept(sizes, members) <= room and (
                2 * members * rows > limits.multiprocessors or members >= limits.cluster
            ):
                break
            members *= 2
        members = min(members, limits.multiprocessors)
        if self._kept(sizes, members) > room:
            members = min(members, limits.cluster)
        teams = _even(rows, max(limits.multiprocessors // members, 1))
        asked = self._kept(sizes, members) + self._first_operands(-(-rows // max(teams, 1)), sizes)
        return Geometry(teams * members, threads, members, max(min(asked, room), 0), members > limits.cluster)

    def with_clusters(self, geometry: Geometry, sizes: Mapping[str, int], most: int) -> Geometry:
        """The same where a device runs so many clusters at a time: teams that wait for others to end come last."""
        teams = _even(_product(self.counts, sizes), max(most, 1))
        return replace(geometry, blocks=min(teams * geometry.members, geometry.blocks))

    def _kept(self, sizes: Mapping[str, int], members: int) -> int:
        """Bytes in each block for the operands that stay."""
        return sum(
            -(-_product(p.columns, sizes) // members) * _line(p, sizes) * p.size for p in self.products if p.stays
        )

    def _first_operands(self, rows: int, sizes: Mapping[str, int]) -> int:
        """Bytes for the rows of one product at a time."""
        return -(-rows // 4) * 4 * max((_line(p, sizes) * p.size for p in self.products), default=0)

    def _segments(self, rows: int, sizes: Mapping[str, int]) -> int:
        """The segments of all groups of rows: pa_scan_segments of polyad_cuda_scans.h."""
        groups = -(-rows // self.lanes)
        tiles = -(-max((_product(own, sizes) for own in self.shared), default=0) * self.lanes // DEVICE.scan_steps)
        if groups < 1 or tiles < 2 or DEVICE.scan_blocks // groups < 2:
            return groups
        each = -(-tiles // (DEVICE.scan_blocks // groups))
        return groups * -(-tiles // each)

    def _in_tiles(self, group: str, sizes: Mapping[str, int]) -> int:
        """The iterations of the loops of a group."""
        return _product(tuple(c for c, own in zip(self.counts, self.tiles, strict=True) if own == group), sizes)


def _line(product: ProductShape, sizes: Mapping[str, int]) -> int:
    """Places for the terms of a row or column: a multiple of four, and four that stay free."""
    return -(-_product(product.terms, sizes) // 4) * 4 + 4


def _even(iterations: int, most: int) -> int:
    """As many teams as are needed where each has as many iterations as with most teams."""
    return -(-iterations // max(-(-iterations // most), 1))


def _product(counts: Counts, sizes: Mapping[str, int]) -> int:
    return math.prod(DEVICE.unknown if count is None else max(count.evaluate(sizes), 0) for count in counts)
