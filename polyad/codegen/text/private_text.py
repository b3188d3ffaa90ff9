"""Pointers to the copy of an array that a thread has, in C."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass

from polyad.codegen.names import Names
from polyad.codegen.storage.memory_plan import MemoryPlan, Slot
from polyad.codegen.storage.private import Private
from polyad.codegen.text.expression_text import C_TYPES
from polyad.codegen.text.integer_text import affine_text
from polyad.codegen.text.line_text import broken

__all__ = ["Copies", "copies_of"]


@dataclass(frozen=True, slots=True)
class Copies:
    """What a parallel loop says of the arrays of which each thread has a copy.

    Attributes:
        count: the number of its iterations, in C.
        iteration: which one it is.
        pointers: C type, name, name of the first copy and number of elements of each array.
    """

    count: str
    iteration: str
    pointers: tuple[tuple[str, str, str, str], ...]

    def before(self, copies: str) -> list[str]:
        """What stands before a loop that starts threads."""
        return [f"const int64_t {copies} = pa_copies({self.count});"]

    def inside(self, copies: str, copy: str) -> list[str]:
        """What stands in it first; `copies`: "" where it starts no threads."""
        lines = [f"const int64_t {copy} = pa_copy({self.iteration}, {self.count}, {copies});"] if copies else []
        for ctype, name, first, size in self.pointers:
            place = f"PA_COPY({ctype}, {first}, {copy if copies else 0}, {size})"
            lines += broken(f"{ctype} *PA_RESTRICT {name} = {place};")
        return lines


def copies_of(
    private: Mapping[str, Private],
    memory: MemoryPlan,
    names: Names,
    size: Callable[[Slot], str],
    fresh: Callable[[str], str],
) -> tuple[dict[int, Copies], dict[str, str]]:
    """The copies of arrays by top-level nest, and the names of the pointers to the first copies by array.

    Args:
        private: the arrays of which each thread has a copy.
        memory: the workspace.
        names: the C names.
        size: the number of elements in a copy, in C.
        fresh: makes names that are not in use.
    """
    slots = {slot.arrays[0]: slot for slot in memory.slots if slot.copies is not None}
    first = {array: fresh(f"{names.arrays[array]}_copies") for array in private}
    result = {}
    for nest in sorted({p.nest for p in private.values()}):
        arrays = [a for a, p in private.items() if p.nest == nest]
        one = private[arrays[0]]
        pointers = tuple(
            (
                C_TYPES[slots[a].dtype],
                names.arrays[a],
                first[a],
                size(slots[a]),
            )
            for a in arrays
        )
        result[nest] = Copies(affine_text(one.count, names.value), affine_text(one.iteration, names.value), pointers)
    return result, first
