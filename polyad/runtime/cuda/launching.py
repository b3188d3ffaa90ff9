"""Launches of kernels on a device: how much of it they ask for, and the one call of the driver that each of them is."""

from __future__ import annotations

import threading
from typing import Any

from polyad.codegen.launch_shape import MEETING_BYTES, Geometry
from polyad.runtime.cuda.context import Context

__all__ = ["Functions", "Launch", "meeting_bytes"]

_SHARED_BYTES = 8  # attribute of a function: the shared memory that a launch may ask for
_TOGETHER, _CLUSTER = 2, 4  # attributes of a launch: all blocks run at the same time; how many are a cluster


class Launch:
    """A launch for one call at a time.

    Args:
        driver: of the device.
        function: the kernel.
        geometry: how much of the device it asks for.
        addresses: where its arguments are.
    """

    __slots__ = ("_arguments", "_attribute", "_config", "_driver", "_function", "_none", "geometry")

    def __init__(self, driver: Context, function: Any, geometry: Geometry, addresses: Any):
        self.geometry = geometry
        self._driver, self._function, self._none = driver, function, driver.ffi.NULL
        self._arguments = addresses
        self._config, self._attribute = None, None
        if geometry.members > 1:
            self._config, self._attribute = _configuration(driver, geometry)

    def start(self, stream: int, meetings: int = 0) -> None:
        """Launch it behind what was launched before in a stream; its arguments are read before this returns.

        Args:
            stream: where.
            meetings: the address of the words in which blocks of teams count who has come: 0, when it starts.
        """
        if self.geometry.counts:
            self._driver.do("cuMemsetD8Async", meetings, 0, meeting_bytes(self.geometry), stream)
        if self._config is None:
            g = self.geometry
            code = self._driver.lib.cuLaunchKernel(
                self._function, g.blocks, 1, 1, g.threads, 1, 1, g.room, stream, self._arguments, self._none
            )
        else:
            self._config.stream = stream
            code = self._driver.lib.cuLaunchKernelEx(self._config, self._function, self._arguments, self._none)
        if code:
            raise self._driver.problem("cuLaunchKernel", code)


def meeting_bytes(geometry: Geometry) -> int:
    """The bytes of the words in which blocks of the teams of a launch count; 0 where they are none that count."""
    return MEETING_BYTES * geometry.blocks // geometry.members if geometry.counts else 0


class Functions:
    """The kernels on a device, and what was asked of the driver for them, as long as its context lives.

    Args:
        driver: of the device.
    """

    def __init__(self, driver: Context):
        self.driver = driver
        self._lock = threading.Lock()
        self._room: dict[int, int] = {}
        self._clusters: dict[tuple[int, Geometry], int] = {}

    def most_clusters(self, function: Any, geometry: Geometry) -> int:
        """Return how many clusters of a launch the device runs at the same time."""
        key = self._number(function), geometry
        if key not in self._clusters:
            self.make_room(function, geometry)
            config, attribute = _configuration(self.driver, geometry)
            assert attribute.id, "the launch points to it"
            self._clusters[key] = self.driver.integer("cuOccupancyMaxActiveClusters", function, config)
        return self._clusters[key]

    def make_room(self, function: Any, geometry: Geometry) -> None:
        """Let launches of a kernel have as much shared memory; another launch of it may have asked for more."""
        with self._lock:
            number = self._number(function)
            if geometry.room > self._room.get(number, 0):
                self.driver.do("cuFuncSetAttribute", function, _SHARED_BYTES, geometry.room)
                self._room[number] = geometry.room

    def _number(self, function: Any) -> int:
        return int(self.driver.ffi.cast("uintptr_t", function))


def _configuration(driver: Context, geometry: Geometry) -> tuple[Any, Any]:
    """A launch of teams, and what it points to, which has to live as long."""
    attribute: Any = driver.ffi.new("launch_attribute *", {"id": _TOGETHER if geometry.counts else _CLUSTER})
    if geometry.counts:
        attribute.value.together = 1
    else:
        cluster = attribute.value.cluster
        cluster.x, cluster.y, cluster.z = geometry.members, 1, 1
    shape = [geometry.blocks, 1, 1, geometry.threads, 1, 1, geometry.room]
    return driver.ffi.new("launch_config *", [*shape, 0, attribute, 1]), attribute
