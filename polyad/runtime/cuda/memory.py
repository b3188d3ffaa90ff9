"""Memory of a device: blocks that were given back serve others of the same number of bytes, in the same stream.

What is launched in one stream runs in order, so a block that a kernel may still use can be given to the next kernel
there. It cannot be given to another stream.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence

from polyad.runtime.cuda.context import OUT_OF_MEMORY, Context

__all__ = ["DeviceMemory"]


class DeviceMemory:
    """The memory of a device, as long as its context lives; threads share it.

    Args:
        driver: of the device.

    Attributes:
        elsewhere: frees what others keep.
    """

    def __init__(self, driver: Context):
        self.driver = driver
        self.elsewhere: list[Callable[[], None]] = []
        self._idle: dict[tuple[int, int], list[int]] = {}

    def take(self, size: int, stream: int) -> int:
        """So many bytes for what is done in a stream.

        Raises:
            DriverError: the device has not that much.
        """
        try:
            return self._idle[size, stream].pop()
        except LookupError:  # none, or none left
            pass
        driver, pointer = self.driver, self.driver.ffi.new("uint64_t *")
        with driver.relaxed():
            code = driver.lib.cuMemAlloc_v2(pointer, max(size, 1))
            if code == OUT_OF_MEMORY:
                self.free_idle()
                code = driver.lib.cuMemAlloc_v2(pointer, max(size, 1))
        if code:
            raise driver.problem("cuMemAlloc", code, f" ({size:,} bytes were asked for)")
        return int(pointer[0])

    def give_back(self, pointer: int, size: int, stream: int | None) -> None:
        """Keep memory for the next who takes some in its stream; free it where several streams used it (None)."""
        if stream is None:
            with self.driver.current():
                self._free([pointer])
        else:
            self._idle.setdefault((size, stream), []).append(pointer)

    def free_blocks(self) -> None:
        """Free the blocks that nobody uses now."""
        pointers = []
        for blocks in list(self._idle.values()):
            while blocks:
                pointers.append(blocks.pop())
        self._free(pointers)

    def free_idle(self) -> None:
        """The same with what others keep: the workspaces."""
        with self.driver.current():
            self.free_blocks()
            for free in self.elsewhere:
                free()

    def _free(self, pointers: Sequence[int]) -> None:
        """Free memory; the driver waits for what is running."""
        with self.driver.relaxed():
            for pointer in pointers:
                self.driver.do("cuMemFree_v2", pointer)
