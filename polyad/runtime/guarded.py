"""Kernels under guard: what they read without having written it, and what they write beside their arrays, shows.

Property: a guarded call gives the results of a plain one, or raises.

With the environment variable POLYAD_GUARD set to 1 while a kernel is loaded, as the tests do, each of its calls
computes in copies: every array and the workspace are exactly as long as asked for and stand between guards, outputs and
workspace are full of bytes that make NaN, and after the call guards and inputs have to be what they were.
"""

from __future__ import annotations

import os
from collections.abc import Sequence
from typing import Any

import numpy as np
from _cffi_backend import FFI as CompiledFFI

from polyad.runtime.native import NativeFunction
from polyad.runtime.workspace import ALIGNMENT

__all__ = ["FILL", "GUARD", "GuardError", "guarded", "wanted"]

GUARD = 4 * ALIGNMENT
"""Bytes on each side of an array."""

FILL = 0xFF
"""NaN as float32 and float64, -1 as integers."""

_FFI = CompiledFFI()


class GuardError(AssertionError):
    """A kernel wrote where nothing of its is: a defect of polyad.

    Attributes:
        array: which it wrote beside or, an input, to.
    """

    def __init__(self, message: str, array: str):
        super().__init__(message)
        self.array = array


def wanted() -> bool:
    """Whether kernels that are loaded now are to be guarded."""
    return os.environ.get("POLYAD_GUARD") == "1"


class _Block:
    """Memory of `size` bytes between guards."""

    __slots__ = ("after", "before", "fill", "inside", "pointer")

    def __init__(self, size: int, fill: int):
        memory = np.full(size + 2 * GUARD + ALIGNMENT, fill, np.uint8)
        start = -memory.ctypes.data % ALIGNMENT + GUARD
        self.before, self.inside, self.after = memory[:start], memory[start : start + size], memory[start + size :]
        self.fill = fill
        self.pointer = _FFI.from_buffer(memory) + start

    def check(self, array: str, kernel: str) -> None:
        for guard, side in ((self.before, "in front of"), (self.after, "behind")):
            if np.any(guard != self.fill):
                raise GuardError(f"the kernel wrote {side} {array} of {kernel}", array)


def guarded(
    run: NativeFunction, name: str, inputs: Sequence[str], outputs: Sequence[str], fill: int = FILL
) -> NativeFunction:
    """`run` with each call under guard.

    Args:
        run: takes the sizes, a buffer for each input and each output, the workspace and its bytes.
        name: of the kernel, for messages.
        inputs: names of the arrays it reads.
        outputs: names of those it writes.
        fill: the byte that memory is full of.

    Raises:
        GuardError: a call wrote beside its arrays, or to an input.
    """
    names = [*inputs, *outputs]

    def call(sizes: Any, *rest: Any) -> int:
        *given, _, workspace_bytes = rest
        arrays = [np.frombuffer(_FFI.buffer(p), np.uint8) if len(p) else np.empty(0, np.uint8) for p in given]
        blocks = [_Block(array.size, fill) for array in arrays]
        for array, block in zip(arrays, blocks[: len(inputs)], strict=False):
            block.inside[...] = array
        work = _Block(workspace_bytes, fill)
        status = run(sizes, *(block.pointer for block in blocks), work.pointer, workspace_bytes)
        for what, block in zip(names, blocks, strict=True):
            block.check(what, name)
        work.check("the workspace", name)
        for what, array, block in zip(inputs, arrays, blocks, strict=False):
            if not np.array_equal(array, block.inside):
                raise GuardError(f"{name} changed its input {what}", what)
        for array, block in zip(arrays[len(inputs) :], blocks[len(inputs) :], strict=True):
            if status == 0 or np.any(block.inside != fill):  # what a failing call leaves alone stays as it was
                array[...] = block.inside
        return status

    return call
