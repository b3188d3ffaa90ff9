"""Numbers of a GPU: they say how work is divided, and change no result."""

from __future__ import annotations

from dataclasses import dataclass

__all__ = ["DEVICE", "LIMITS", "Device", "Limits"]


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
        tile: rows and columns of the results of a contraction that a block computes at a time.
        tile_terms: of a tile of an operand, and the least of a contraction in tiles.
        tile_threads: of a block that computes tiles; the header has been written for these three numbers.
        tiles: fewer leave most of a device idle.
        team_threads: of a block that has products of steps; the header has been written for it.
        member_work: products of numbers in a step that are worth one more block of a team.
        own_shared: bytes of shared memory of a block that are not for operands that stay: of products at work, and of
            sums that threads share.
        early_loads: elements that a thread loads before it computes; each is in a register from then on.
        scan_blocks: blocks that prefix scans of few rows are divided among: about as many as a device holds at once.
        scan_steps: of a tile of a prefix scan, where a block has one row; 8 for each of its threads. The header has
            been written for these numbers.
        scan_lanes: rows that a block has where neighbours in memory are those of a step: a warp.
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
    tile: int = 64
    tile_terms: int = 16
    tile_threads: int = 256
    tiles: int = 48
    team_threads: int = 512
    member_work: int = 16384
    own_shared: int = 45056
    early_loads: int = 48
    scan_blocks: int = 1024
    scan_steps: int = 2048
    scan_lanes: int = 32
    few: int = 4096


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
