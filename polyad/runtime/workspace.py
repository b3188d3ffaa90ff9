"""The scratch memory that kernels are given: one block a thread, kept between calls and grown on demand.

A thread runs one kernel at a time and no kernel expects anything of what the block holds, so all kernels of a thread
share it.
"""

from __future__ import annotations

import threading
from typing import Any

import numpy as np
from _cffi_backend import FFI as CompiledFFI

__all__ = ["ALIGNMENT", "FFI", "release_workspace", "workspace"]

ALIGNMENT = 64
"""Bytes; PA_ALIGNMENT in polyad_runtime.h."""

# What modules built by cffi use: its `from_buffer` is C, and half the price of the one of `cffi.FFI`, which is Python.
FFI = CompiledFFI()


class _Block(threading.local):
    """The block of one thread."""

    size = 0  # bytes that start at `pointer`
    pointer: Any = FFI.NULL
    memory: Any = None  # owns what `pointer` points to

    def grow(self, size: int) -> None:
        memory = np.empty(size + ALIGNMENT, np.uint8)
        start = FFI.from_buffer(memory)
        self.memory = memory
        self.pointer = start + -int(FFI.cast("uintptr_t", start)) % ALIGNMENT
        self.size = size


_BLOCK = _Block()


def workspace(size: int) -> tuple[Any, Any]:
    """A block of at least `size` bytes, aligned to `ALIGNMENT`.

    Returns:
        (pointer, owner): a `char *`, null when `size` is 0, and what has to stay alive while the pointer is in use.

    Raises:
        MemoryError: the system does not have that much.
    """
    block = _BLOCK
    if size > block.size:
        block.grow(size)
    return (block.pointer, block.memory) if size else (FFI.NULL, None)


def release_workspace() -> None:
    """Give the calling thread's block back to the system."""
    _BLOCK.memory, _BLOCK.pointer, _BLOCK.size = None, FFI.NULL, 0
