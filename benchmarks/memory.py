"""How much memory a call takes beyond what is there before it."""

import ctypes
import gc
from collections.abc import Callable
from typing import Any

__all__ = ["peak_growth"]


def _status(key: str) -> int:
    """A line of /proc/self/status in bytes."""
    with open("/proc/self/status") as lines:
        for line in lines:
            if line.startswith(key + ":"):
                return int(line.split()[1]) * 1024
    raise LookupError(key)


def peak_growth(call: Callable[[], Any]) -> int | None:
    """Bytes by which resident memory grows at most while `call` runs, its results included; None if this is not Linux.

    What earlier calls left to the allocator is given back first, so that using it again counts.
    """
    try:
        gc.collect()
        ctypes.CDLL(None).malloc_trim(0)
        before = _status("VmRSS")
        with open("/proc/self/clear_refs", "w") as file:
            file.write("5")  # the peak starts again from here
        result = call()
        peak = _status("VmHWM")
        del result
    except (OSError, AttributeError, LookupError):
        return None
    return max(0, peak - before)
