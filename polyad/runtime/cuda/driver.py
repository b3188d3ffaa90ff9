"""A device of NVIDIA's as calls use it: its context, with the memory, streams and workspaces there."""

from __future__ import annotations

from functools import cache

from polyad.runtime.cuda.context import Context, DriverError
from polyad.runtime.cuda.launching import Functions
from polyad.runtime.cuda.memory import DeviceMemory
from polyad.runtime.cuda.streams import Streams
from polyad.runtime.cuda.workspaces import Workspaces

__all__ = ["Driver", "DriverError", "find_driver", "known_driver"]


class Driver(Context):
    """The driver and a device, with what is kept there as long as its context lives.

    Attributes:
        memory: blocks that were given back.
        streams: what is asked of streams.
        workspaces: of kernels.
        kernels: what is known of these.
    """

    def _begin(self) -> None:
        self.memory = DeviceMemory(self)
        self.streams = Streams(self)
        self.workspaces = Workspaces(self, self.memory)
        self.kernels = Functions(self)


@cache
def known_driver(device: int) -> Driver:
    """The same, once for each device."""
    return Driver(device)


def find_driver(device: int = 0) -> Driver:
    """A device of this machine.

    Raises:
        CallError: there is no driver, or no such device.
    """
    return known_driver(device)
