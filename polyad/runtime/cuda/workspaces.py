"""The workspaces of kernels on a device: one a stream, kept and grown; a graph has one of its own.

What is launched in one stream runs in order, so all kernels of a stream share its workspace, and two streams run the
same kernel side by side. A call that is captured takes and gives back its workspace in the stream, so that both become
nodes of the graph: it may be replayed in any stream, beside calls and other graphs.
"""

from __future__ import annotations

import threading
from collections.abc import Iterator
from contextlib import contextmanager

from polyad.runtime.cuda.context import OUT_OF_MEMORY, Context
from polyad.runtime.cuda.memory import DeviceMemory

__all__ = ["Workspaces"]


class _Workspace:
    """The workspace of a stream.

    Attributes:
        lock: held while launches that use it are enqueued, so that those of two threads do not mix.
        pointer: where it starts.
        size: its bytes.
    """

    __slots__ = ("lock", "pointer", "size")

    def __init__(self) -> None:
        self.lock, self.pointer, self.size = threading.Lock(), 0, 0


class Workspaces:
    """The workspaces of a device, as long as its context lives.

    Args:
        driver: of the device.
        memory: the rest of what is kept there.
    """

    def __init__(self, driver: Context, memory: DeviceMemory):
        self.driver, self.memory = driver, memory
        memory.elsewhere.append(self.free_idle)
        self._of: dict[int, _Workspace] = {}

    @contextmanager
    def use(self, stream: int, size: int, captured: bool) -> Iterator[int]:
        """The address of so many bytes for what is launched in a stream inside.

        Args:
            stream: where.
            size: the bytes, more than 0.
            captured: a graph is being made of what is launched.

        Raises:
            DriverError: the device has not that much.
        """
        if captured:
            pointer = self._take(stream, size)
            yield pointer
            self.driver.do("cuMemFreeAsync", pointer, stream)
        else:
            own = self._of.get(stream) or self._of.setdefault(stream, _Workspace())
            with own.lock:
                if own.size < size:
                    if own.pointer:
                        self.driver.do("cuMemFreeAsync", own.pointer, stream)
                    own.pointer, own.size = 0, 0
                    own.pointer, own.size = self._take(stream, size), size
                yield own.pointer

    def free_idle(self) -> None:
        """Free all that nothing is launched with now."""
        for own in list(self._of.values()):
            with own.lock:
                if own.pointer:
                    with self.driver.relaxed():
                        self.driver.do("cuMemFree_v2", own.pointer)
                own.pointer, own.size = 0, 0

    def _take(self, stream: int, size: int) -> int:
        """Memory that is there when the stream comes so far."""
        pointer = self.driver.ffi.new("uint64_t *")
        code = self.driver.lib.cuMemAllocAsync(pointer, size, stream)
        if code == OUT_OF_MEMORY:
            self.memory.free_blocks()
            code = self.driver.lib.cuMemAllocAsync(pointer, size, stream)
        if code:
            raise self.driver.problem("cuMemAllocAsync", code, f" ({size:,} bytes were asked for)")
        return int(pointer[0])
