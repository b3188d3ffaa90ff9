"""A launch of a GPU as its caller sees it: the kernel, what it is given, how many blocks of how many threads run."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace

from polyad.codegen.launch_counts import (
    AtMost,
    Chosen,
    Count,
    Either,
    Every,
    Groups,
    Iterations,
    Least,
    Most,
    Product,
    Quotient,
    Sum,
    Test,
    Told,
    evaluated,
)
from polyad.ir.affine import Affine
from polyad.machine.device import DEVICE

__all__ = ["Counts", "Geometry", "LaunchShape", "Parameter", "ProductShape"]

_MEMBERS = Told("members")

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

    @property
    def blocks(self) -> Count:
        """The number of blocks of the grid; none where there is nothing to do."""
        match self.over:
            case "threads":
                return Least((Groups(self._iterations, DEVICE.threads), DEVICE.most_blocks))
            case "blocks":
                return Least((self._iterations, DEVICE.most_blocks))
            case "tiles":
                rows, columns, batch = map(self._in_tiles, ("rows", "columns", "batch"))
                tiles = Product((Groups(rows, DEVICE.tile), Groups(columns, DEVICE.tile), batch))
                return Least((tiles, DEVICE.most_blocks))
            case "teams":
                return Product((self._teams(Quotient(DEVICE.multiprocessors, _MEMBERS)), _MEMBERS))
            case _:
                return 1

    @property
    def running_blocks(self) -> Count:
        """The blocks, of those, where a device runs so many teams at a time: who waits for others to end comes last."""
        return Least((Product((self._teams(Told("running")), _MEMBERS)), Told("blocks")))

    @property
    def threads(self) -> Count:
        """The number of threads of a block."""
        match self.over:
            case "threads":
                return DEVICE.threads
            case "tiles":
                return DEVICE.tile_threads
            case "thread":
                return 1
            case _ if self.products:
                return DEVICE.team_threads
            case _:
                warps = Most((*(Groups(_together(own), DEVICE.warp) for own in self.shared), 1))
                most = DEVICE.most_threads if self.steps else DEVICE.row_threads
                return Least((Product((warps, DEVICE.warp)), most))

    @property
    def members(self) -> Count:
        """The blocks of a team: more where a step has work for them, until there is room and no block is idle."""
        if self.over != "teams":
            return 1
        members = DEVICE.most_members
        found: Count = members
        while members > 1:
            members //= 2
            found = Chosen(self._are_enough(members), members, found)
        return found

    @property
    def room(self) -> Count:
        """Bytes for the operands that stay, or for those of them that have room."""
        return Least((self._kept(_MEMBERS), DEVICE.room)) if self.products else 0

    def geometry(self, sizes: Mapping[str, int], clusters: bool = True) -> Geometry:
        """How much of a device it asks for at given sizes; `clusters`: the device has clusters of blocks."""
        members = evaluated(self.members, sizes) if clusters else 1
        blocks, threads, room = (
            evaluated(c, sizes, {"members": members}) for c in (self.blocks, self.threads, self.room)
        )
        return Geometry(blocks, threads, members, room)

    def with_clusters(self, geometry: Geometry, sizes: Mapping[str, int], most: int) -> Geometry:
        """The same where a device runs so many clusters at a time."""
        told = {"members": geometry.members, "blocks": geometry.blocks, "running": most}
        return replace(geometry, blocks=evaluated(self.running_blocks, sizes, told))

    @property
    def _iterations(self) -> Count:
        """Those of the grid."""
        return _together(self.counts)

    def _teams(self, most: Count) -> Count:
        """As many teams as are needed where each has as many iterations as with most teams."""
        each = Most((Groups(self._iterations, Most((most, 1))), 1))
        return Groups(self._iterations, each)

    def _are_enough(self, members: int) -> Test:
        """Whether no more blocks of a team are worth anything."""
        work = Sum(tuple(Product((_together(p.columns), _together(p.terms))) for p in self.products))
        no_block_is_idle = AtMost(DEVICE.multiprocessors + 1, Product((self._iterations, 2 * members)))
        has_room = AtMost(self._kept(members), DEVICE.room)
        return Either((AtMost(work, members * DEVICE.member_work), Every((has_room, no_block_is_idle))))

    def _kept(self, members: Count) -> Count:
        """Bytes of the operands that stay, of one block of a team of so many."""
        kept = []
        for p in self.products:
            terms = Sum((Product((Groups(_together(p.terms), 4), 4)), 4))  # four places are free behind each column
            kept += [Product((Groups(_together(p.columns), members), terms, p.size))] if p.stays else []
        return Sum(tuple(kept))

    def _in_tiles(self, group: str) -> Count:
        """The iterations of the loops of a group."""
        return _together(tuple(c for c, own in zip(self.counts, self.tiles, strict=True) if own == group))


def _together(counts: Counts) -> Count:
    """The iterations of loops inside of each other."""
    return Product(tuple(map(Iterations, counts)))
