"""The scratch memory that kernels are given: one block a thread, kept between calls and grown on demand.

A thread runs one kernel at a time and no kernel expects anything of what the block holds, so all kernels of a thread
share it.
"""

from __future__ import annotations

import threading
from typing import Any

import numpy as np
from _cffi_backend import FFI as CompiledFFI

__all__ = ["ALIGNMENT", "BLOCK", "FFI", "grow", "workspace"]

ALIGNMENT = 64
"""Bytes; PA_ALIGNMENT in polyad_runtime.h."""

# What modules built by cffi use: its `from_buffer` is C, and half the price of the one of `cffi.FFI`, which is Python.
FFI = CompiledFFI()


class _Block(threading.local):
    """The block of one thread.

    Attributes:
        held: (bytes, a pointer to where they start, what owns them); in one, as each look at a thread's takes time.
    """

    held: tuple[int, Any, Any] = (0, FFI.NULL, None)


BLOCK = _Block()


def grow(size: int) -> tuple[int, Any, Any]:
    """Replace the calling thread's block by one of `size` bytes, and return what it then holds.

    Raises:
        MemoryError: the system does not have that much.
    """
    memory = np.empty(size + ALIGNMENT, np.uint8)
    start = FFI.from_buffer(memory)
    BLOCK.held = (size, start + -int(FFI.cast("uintptr_t", start)) % ALIGNMENT, memory)
    return BLOCK.held


def workspace(size: int) -> tuple[Any, Any]:
    """A block of at least `size` bytes, aligned to `ALIGNMENT`.

    Returns:
        (pointer, owner): a `char *`, null when `size` is 0, and what has to stay alive while the pointer is in use.

    Raises:
        MemoryError: the system does not have that much.
    """
    held = BLOCK.held
    if size > held[0]:
        held = grow(size)
    return (held[1], held[2]) if size else (FFI.NULL, None)
