"""Running: compiling generated C, keeping it on disk, calling it with NumPy arrays."""

from polyad.runtime.cache import clear_cache
from polyad.runtime.kernel import Kernel

__all__ = ["Kernel", "clear_cache"]
