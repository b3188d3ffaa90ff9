"""A launch of a GPU as its caller sees it: the kernel, what it is given, how many blocks of how many threads run."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace

from polyad.codegen.launch_counts import (
    AtMost,
    Chosen,
    Count,
    Difference,
    Doubled,
    Either,
    Every,
    Groups,
    Iterations,
    Least,
    Most,
    Product,
    Quotient,
    Sum,
    Told,
    evaluated,
)
from polyad.ir.affine import Affine
from polyad.machine.device import DEVICE, LIMITS, Limits, TileShape

__all__ = [
    "ALIGNMENT",
    "Counts",
    "Geometry",
    "LaunchShape",
    "MEETING_BYTES",
    "Parameter",
    "ProductShape",
    "STATUS_BYTES",
]

ALIGNMENT = 256
"""Of slices of the workspace on a device, in bytes: PA_ALIGNMENT of polyad_driver.h."""

STATUS_BYTES, MEETING_BYTES = 8, 128
"""Of the two words that say whether indices are in order, and of the words in which the blocks of a team count."""

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
        told = {"multiprocessors": limits.multiprocessors, "shared": limits.shared, "cluster": limits.cluster}
        for name, count in self.formulas():
            told[name] = evaluated(count, sizes, told)
        members, room, counts = (told.get(name, usual) for name, usual in (("members", 1), ("room", 0), ("counts", 0)))
        return Geometry(told["blocks"], told["threads"], members, room, bool(counts))

    def with_clusters(self, geometry: Geometry, sizes: Mapping[str, int], most: int) -> Geometry:
        """The same where a device runs so many clusters at a time: teams that wait for others to end come last."""
        told = {"members": geometry.members, "blocks": geometry.blocks, "running": most}
        return replace(geometry, blocks=evaluated(self.running_blocks, sizes, told))

    def formulas(self) -> Sequence[tuple[str, Count]]:
        """Name -> formula, of which each may be told of those before it, and of the limits of the device.

        A launch has "blocks" and "threads"; "room" for products, and "members", "teams" and "counts" of teams.
        """
        rows = _together(self.counts)
        match self.over:
            case "threads":
                blocks: Count = Least((Groups(rows, DEVICE.threads), DEVICE.most_blocks))
                return [("blocks", blocks), ("threads", DEVICE.threads)]
            case "tiles":
                assert self.tile is not None, "it says how large they are"
                sides = ((self._in_tiles("rows"), self.tile.rows), (self._in_tiles("columns"), self.tile.columns))
                tiles = Product((*(Groups(c, side) for c, side in sides), self._in_tiles("batch")))
                return [("blocks", Least((tiles, DEVICE.most_blocks))), ("threads", self.tile.threads)]
            case "thread":
                return [("blocks", 1), ("threads", 1)]
            case "scans":
                segments = Least((self._segments(rows), DEVICE.most_blocks))
                return [("blocks", segments), ("threads", DEVICE.row_threads)]
            case "teams":
                return self._teams(rows)
            case over:
                blocks = Least((rows, DEVICE.most_blocks)) if over == "blocks" else 1
                room = Least((Sum((self._kept(1), self._first_operands(1))), _ROOM))
                return [("blocks", blocks), ("threads", self._threads()), *([("room", room)] if self.products else [])]

    @property
    def running_blocks(self) -> Count:
        """The blocks of those of clusters, of which a device runs so many at a time."""
        return Least((Product((_even(_together(self.counts), Told("running")), Told("members"))), Told("blocks")))

    def _threads(self) -> Count:
        """As many as have work."""
        if self.products:
            return DEVICE.team_threads
        warps = Most((*(Groups(_together(own), DEVICE.warp) for own in self.shared), 1))
        return Least((Product((warps, DEVICE.warp)), DEVICE.most_threads if self.steps else DEVICE.row_threads))

    def _teams(self, rows: Count) -> Sequence[tuple[str, Count]]:
        """Blocks for teams that have a part of the rows each: more a team where a step has work for them.

        Clusters are preferred, whose blocks meet sooner; where there is no room in one for what stays, blocks count.
        """
        found, limited, members, teams = map(Told, ("found", "limited", "members", "teams"))
        work = Sum(tuple(Product((_together(p.columns), _together(p.terms))) for p in self.products))
        no_block_is_idle = AtMost(Sum((_MULTIPROCESSORS, 1)), Product((found, rows, 2)))
        fits = Every((AtMost(self._kept(found), _ROOM), Either((no_block_is_idle, AtMost(_CLUSTER, found)))))
        little = AtMost(work, Product((found, DEVICE.member_work)))
        least_room = AtMost(self._kept(limited), _ROOM)
        own_rows = Groups(rows, Most((teams, 1)))
        return [
            ("found", Doubled("found", Either((AtMost(_MULTIPROCESSORS, found), little, fits)))),
            ("limited", Least((found, _MULTIPROCESSORS))),
            ("members", Chosen(least_room, limited, Least((limited, _CLUSTER)))),
            ("teams", _even(rows, Quotient(_MULTIPROCESSORS, members))),
            ("blocks", Product((teams, members))),
            ("threads", self._threads()),
            ("room", Least((Sum((self._kept(members), self._first_operands(own_rows))), _ROOM))),
            ("counts", Chosen(AtMost(members, _CLUSTER), 0, 1)),
        ]

    def _kept(self, members: Count) -> Count:
        """Bytes in each block for the operands that stay."""
        kept = (Product((Groups(_together(p.columns), members), _line(p))) for p in self.products if p.stays)
        return Sum(tuple(kept))

    def _first_operands(self, rows: Count) -> Count:
        """Bytes for the rows of one product at a time."""
        return Product((Groups(rows, 4), 4, Most((0, *map(_line, self.products)))))

    def _segments(self, rows: Count) -> Count:
        """The segments of all groups of rows: pa_scan_segments of polyad_cuda_scans.h."""
        groups = Groups(rows, self.lanes)
        steps = Most((0, *map(_together, self.shared)))
        tiles = Groups(Product((steps, self.lanes)), DEVICE.scan_steps)
        blocks = Quotient(DEVICE.scan_blocks, Most((groups, 1)))
        each = Groups(tiles, Most((blocks, 1)))
        several = Every((AtMost(2, tiles), AtMost(2, blocks)))
        return Chosen(several, Product((groups, Groups(tiles, Most((each, 1))))), groups)

    def _in_tiles(self, group: str) -> Count:
        """The iterations of the loops of a group."""
        return _together(tuple(c for c, own in zip(self.counts, self.tiles, strict=True) if own == group))


_MULTIPROCESSORS, _CLUSTER = Told("multiprocessors"), Told("cluster")
_ROOM = Difference(Told("shared"), DEVICE.own_shared)


def _line(product: ProductShape) -> Count:
    """Bytes for the terms of a row or column: a multiple of four, and four that stay free."""
    return Product((Sum((Product((Groups(_together(product.terms), 4), 4)), 4)), product.size))


def _even(iterations: Count, most: Count) -> Count:
    """As many teams as are needed where each has as many iterations as with most teams."""
    return Groups(iterations, Most((Groups(iterations, Most((most, 1))), 1)))


def _together(counts: Counts) -> Count:
    """The iterations of loops inside of each other."""
    return Product(tuple(map(Iterations, counts)))
