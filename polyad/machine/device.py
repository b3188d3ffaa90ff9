"""Numbers of a GPU: they say how work is divided, and change no result."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field

__all__ = ["DEVICE", "LIMITS", "Device", "Limits", "TileShape"]


@dataclass(frozen=True, slots=True)
class TileShape:
    """A tile of the results of a contraction, as polyad_cuda_tiles.h computes it.

    Attributes:
        rows: of results that a block computes at a time.
        columns: of them.
        terms: of both operands that are in shared memory at a time.
        own_rows: of the results that a thread has in registers.
        own_columns: of them.
        speed: the part of all multiplications of a multiprocessor that is left when threads wait for nothing else.
    """

    rows: int
    columns: int
    terms: int
    own_rows: int
    own_columns: int
    speed: float

    @property
    def threads(self) -> int:
        """The threads of a block."""
        return self.rows // self.own_rows * (self.columns // self.own_columns)


TILE_SHAPES = {
    4: (
        TileShape(64, 64, 16, 8, 4, 0.55),
        TileShape(128, 128, 16, 8, 8, 0.75),
        TileShape(128, 64, 16, 8, 4, 0.65),
        TileShape(32, 32, 16, 4, 4, 0.35),
    ),
    8: (
        TileShape(64, 64, 8, 8, 4, 0.65),
        TileShape(128, 64, 8, 8, 4, 0.75),
        TileShape(32, 32, 8, 4, 4, 0.45),
    ),
}


@dataclass(frozen=True, slots=True)
class Device:
    """The numbers of a GPU of today.

    Attributes:
        warp: threads that run in step; blocks have whole warps.
        threads: of a block of a grid: enough to hide latencies, few enough for short loops to fill multiprocessors.
        most_threads: of a block whose threads meet in each step of a recurrence.
        row_threads: of a block that sums up a row: more have few terms each, and wait for each other.
        most_blocks: of a launch, several times what any device holds at once; more iterations are handed round.
        unknown: iterations assumed where no formula of the sizes says how many there are; all of them run in any case.
        terms: fewer are added up by one thread.
        step_threads: that the results of a step of a recurrence should keep busy.
        tile_shapes: bytes of a number -> the tiles of contractions, the one for sizes that nobody knows first.
        tile_least: rows, columns and terms of a contraction in tiles.
        tiles: fewer of the smallest tiles leave most of a device idle.
        part_terms: of a sum of which several blocks add up a part each.
        busy_warps: of a multiprocessor: fewer leave it idle while they wait.
        team_threads: of a block that has products of steps; the header has been written for it.
        member_work: products of numbers in a step that are worth one more block of a team.
        own_shared: bytes of shared memory of a block that are not for operands that stay: of products at work, and of
            sums that threads share.
        early_loads: elements that a thread loads before it computes; each is in a register from then on.
        scan_blocks: blocks that prefix scans of few rows are divided among: about as many as a device holds at once.
        scan_steps: of a tile of a prefix scan, where a block has one row; 8 for each of its threads. The header has
            been written for these numbers.
        scan_lanes: rows that a block has where neighbours in memory are those of a step: a warp.
        pack: bytes that a thread reads at once, at most.
        few: so few threads leave most of a device idle.
    """

    warp: int = 32
    threads: int = 128
    most_threads: int = 1024
    row_threads: int = 256
    most_blocks: int = 65536
    unknown: int = 4096
    terms: int = 32
    step_threads: int = 1024
    tile_shapes: Mapping[int, tuple[TileShape, ...]] = field(default_factory=lambda: TILE_SHAPES)
    tile_least: int = 16
    tiles: int = 48
    part_terms: int = 256
    busy_warps: int = 8
    team_threads: int = 512
    member_work: int = 16384
    own_shared: int = 45056
    early_loads: int = 48
    scan_blocks: int = 1024
    scan_steps: int = 2048
    scan_lanes: int = 32
    pack: int = 16
    few: int = 4096

    def usual_tile(self, size: int) -> TileShape:
        """The tile of a contraction of which nobody knows the extents, by the bytes of a number."""
        return self.tile_shapes[size][0]

    def takes_tiles(self, rows: float, columns: float, terms: float, batches: float) -> bool:
        """Whether a contraction of these extents has enough terms, and tiles, to be computed in tiles."""
        smallest = min(shape.rows * shape.columns for shapes in self.tile_shapes.values() for shape in shapes)
        enough = rows * columns * batches / smallest >= self.tiles if min(rows, columns, batches) else not self.tiles
        return min(rows, columns, terms) >= self.tile_least and enough


DEVICE = Device()


@dataclass(frozen=True, slots=True)
class Limits:
    """The numbers that differ from device to device.

    Attributes:
        multiprocessors: blocks that run at the same time, where each has all that one can have.
        shared: bytes of shared memory of a block, at most.
        cluster: blocks of a cluster, at most; 1 where there are none.
    """

    multiprocessors: int = 132
    shared: int = 232448
    cluster: int = 8


LIMITS = Limits()
"""Those of the Hopper generation, taken where nobody knows the device."""
