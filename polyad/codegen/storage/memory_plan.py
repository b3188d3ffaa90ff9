"""The workspace: which temporaries lie where, as formulas in the sizes, and evaluated."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field

from polyad.ir.affine import Affine
from polyad.ir.element_types import item_bytes

__all__ = ["ALIGNMENT", "EVERY_THREAD", "MemoryPlan", "MemoryUse", "Slot"]

ALIGNMENT = 64
"""Slices of the workspace start on cache lines: PA_ALIGNMENT of the runtime header, in bytes."""

EVERY_THREAD = Affine.of(2**31 - 1)
"""`Slot.copies` of what each thread has a copy of, however many there are."""


@dataclass(frozen=True, slots=True)
class Slot:
    """A slice of the workspace.

    Attributes:
        arrays: the temporaries that lie there, one after another in time.
        dtype: their element type.
        extents: the extents in memory, dimensions folded; of the largest array.
        copies: each thread has its own copy, but there are no more than this; None where all threads share one.
    """

    arrays: tuple[str, ...]
    dtype: str
    extents: tuple[Affine, ...]
    copies: Affine | None = None

    def bytes(self, sizes: Mapping[str, int], threads: int = 1) -> int:
        """The bytes in use, not rounded up where all threads share them."""
        count = 1
        for extent in self.extents:
            count *= max(0, extent.evaluate(sizes))
        one = count * item_bytes(self.dtype)
        if self.copies is None:
            return one
        return max(0, min(threads, self.copies.evaluate(sizes))) * (-(-one // ALIGNMENT) * ALIGNMENT)


@dataclass(frozen=True, slots=True)
class MemoryUse:
    """A memory plan at given sizes.

    Attributes:
        arrays: temporary -> bytes; 0 for those that became C variables, and for what lies in the place of an input.
        total_bytes: of the workspace; less than the sum where temporaries share memory.
    """

    arrays: dict[str, int]
    total_bytes: int

    def __getitem__(self, array: str) -> int:
        return self.arrays[array]

    def __str__(self) -> str:
        """A table, largest first."""
        rows = sorted(self.arrays.items(), key=lambda item: (-item[1], item[0]))
        rows.append(("workspace in all", self.total_bytes))
        width = max(len(name) for name, _ in rows)
        digits = max(len(f"{b:,}") for _, b in rows)
        return "\n".join(f"{name:<{width}}  {b:>{digits},} bytes" for name, b in rows)


@dataclass(frozen=True, slots=True)
class MemoryPlan:
    """The memory of temporaries.

    Attributes:
        slots: the slices of the workspace, in order.
        variables: temporaries that became C variables.
        homes: temporary or output -> the array in whose place it lies: an input, an output or another temporary.
        alignment: of slices, in bytes.
        front: bytes in front of the first slice, which are no array's.
    """

    slots: tuple[Slot, ...] = ()
    variables: tuple[str, ...] = field(default=())
    homes: Mapping[str, str] = field(default_factory=dict)
    alignment: int = ALIGNMENT
    front: int = 0

    @property
    def is_used(self) -> bool:
        """Whether a call needs a workspace at any sizes."""
        return bool(self.slots) or self.front > 0

    @property
    def by_threads(self) -> bool:
        """Whether the bytes depend on the number of threads."""
        return any(slot.copies is not None for slot in self.slots)

    def workspace_bytes(self, sizes: Mapping[str, int], threads: int = 1) -> int:
        """Return the bytes that the generated function NAME_workspace returns when so many threads may run."""
        parts = (self.front, *(slot.bytes(sizes, threads) for slot in self.slots))
        slices = sum(-(-part // self.alignment) * self.alignment for part in parts)
        return slices + self.alignment if slices else 0  # room to start on a cache line

    def at(self, sizes: Mapping[str, int], threads: int = 1) -> MemoryUse:
        """The plan at given sizes, when so many threads may run."""
        arrays = {name: slot.bytes(sizes, threads) for slot in self.slots for name in slot.arrays}
        return MemoryUse(
            arrays | dict.fromkeys([*self.variables, *self.homes], 0), self.workspace_bytes(sizes, threads)
        )
