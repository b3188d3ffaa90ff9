"""Launches with room for the addresses of a call: what sizes decide is worked out once, a call fills in the rest."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from polyad.codegen.launch_shape import ALIGNMENT, STATUS_BYTES, Geometry, LaunchShape
from polyad.codegen.source import Source
from polyad.machine.device import Limits
from polyad.runtime.cuda.launching import Launch, meeting_bytes

if TYPE_CHECKING:
    from polyad.runtime.cuda.driver import Driver

__all__ = ["Frame", "Room", "aligned", "room_of"]


@dataclass(frozen=True, slots=True)
class Room:
    """The places in the workspace of a call.

    Attributes:
        status: whether it begins with the two words that say whether an index is wrong.
        meetings: where the words start in which blocks of teams count who has come, bytes from the start.
        slots: where each slot starts.
        numbers: where the numbers that are given in place of arrays start, one behind the other.
        bytes: in all.
    """

    status: bool
    meetings: int
    slots: tuple[int, ...]
    numbers: int
    bytes: int

    def number(self, n: int) -> int:
        """The place of the n-th number."""
        return self.numbers + n * ALIGNMENT


def room_of(source: Source, sizes: Mapping[str, int], limits: Limits, numbers: int = 0) -> Room:
    """The workspace of a call at these sizes on a device with these limits, with that many numbers."""
    meetings = ALIGNMENT if source.checks else 0
    counting = max((meeting_bytes(launch.geometry(sizes, limits)) for launch in source.launches), default=0)
    end = meetings + aligned(counting)
    starts = []
    for slot in source.memory.slots:
        starts.append(end)
        end += aligned(slot.bytes(sizes))
    return Room(bool(source.checks), meetings, tuple(starts), end, end + numbers * ALIGNMENT)


def aligned(size: int) -> int:
    """So many bytes, and what aligns the next."""
    return -(-size // ALIGNMENT) * ALIGNMENT


class Frame:
    """The launches of a kernel at given sizes, for one call at a time.

    Args:
        driver: of the device.
        source: the kernels.
        functions: the same, loaded.
        sizes: by name.
        room: the workspace at these sizes.

    Attributes:
        launches: those that have something to do.
        generation: of the driver's context.
    """

    __slots__ = (
        "_arrays",
        "_base",
        "_cells",
        "_driver",
        "_held",
        "_places",
        "_slots",
        "generation",
        "launches",
        "room",
    )

    def __init__(self, driver: Driver, source: Source, functions: Sequence[Any], sizes: Mapping[str, int], room: Room):
        self.room = room
        self.generation = driver.generation
        self._driver = driver
        sized = [("size", name) for name in source.sizes]
        arrays = [("array", a.name) for a in source.parameters]
        placed = [*(("slot", str(n)) for n in range(len(room.slots))), ("status", ""), ("meetings", "")]
        at = {key: n for n, key in enumerate([*sized, *arrays, *placed])}
        ffi = driver.ffi
        self._cells = cells = ffi.new("uint64_t[]", len(at))
        for n, name in enumerate(source.sizes):
            cells[n] = sizes[name] % (1 << 64)
        self._arrays = slice(len(sized), len(sized) + len(arrays))
        self._slots = slice(len(sized) + len(arrays), len(at))
        self._places = (*room.slots, 0, room.meetings)
        self._held = []
        self._base = -1
        self.launches: list[Launch] = []
        for launch, function in zip(source.launches, functions, strict=True):
            geometry = _geometry(driver, launch, function, sizes)
            if geometry.blocks:
                driver.kernels.make_room(function, geometry)
                members = ffi.new("uint64_t *", geometry.members if geometry.counts else 0)
                self._held.append(members)
                given = [members if p.kind == "members" else cells + at[p.kind, p.name] for p in launch.parameters]
                self.launches.append(Launch(driver, function, geometry, ffi.new("void *[]", given)))

    def launch(self, arrays: Sequence[int], base: int, stream: int) -> None:
        """Launch all kernels, one behind the other, and do not wait.

        Args:
            arrays: the address of each parameter.
            base: that of the workspace.
            stream: where.
        """
        self._cells[self._arrays] = arrays
        if base != self._base:
            self._cells[self._slots] = [base + start for start in self._places]
            self._base = base
        driver = self._driver
        if self.room.status:
            driver.do("cuMemsetD8Async", base, 0, STATUS_BYTES, stream)
        meetings = base + self.room.meetings
        for launch in self.launches:
            launch.start(stream, meetings)


def _geometry(driver: Driver, launch: LaunchShape, function: Any, sizes: Mapping[str, int]) -> Geometry:
    """How much of the device a launch asks for."""
    geometry = launch.geometry(sizes, driver.limits)
    if geometry.members == 1 or geometry.counts or not geometry.blocks:
        return geometry
    return launch.with_clusters(geometry, sizes, driver.kernels.most_clusters(function, geometry))
