"""Numbers of a GPU: they say how work is divided, and change no result."""

from __future__ import annotations

from dataclasses import dataclass

__all__ = ["DEVICE", "Device"]


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
        multiprocessors: blocks that work at the same time with all that one can have.
        team_threads: of a block that has products of steps; the header has been written for it.
        most_members: blocks of a team: all devices that have clusters have clusters of so many.
        member_work: products of numbers in a step that are worth one more block of a team.
        room: bytes of shared memory that operands may stay in, beside what products need.
        early_loads: elements that a thread loads before it computes; each is in a register from then on.
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
    multiprocessors: int = 132
    team_threads: int = 512
    most_members: int = 8
    member_work: int = 16384
    room: int = 184320
    early_loads: int = 48
    few: int = 4096


DEVICE = Device()
