"""The states of nested recurrences: those of an outer one start the inner ones, and are what these end in.

The two stay apart. As an element among the states of the inner recurrence, that of the outer one would keep all of them
for longer than its step.
"""

from __future__ import annotations

from polyad.ir.program import Program
from polyad.transforms.rewrite.array_graph import array_components

__all__ = ["is_outer_state"]


def is_outer_state(program: Program, outer: str, inner: str) -> bool:
    """Whether an array is the state of a recurrence in whose steps another array, of more dimensions, recurs.

    So it is where the other one is of use for one segment at a time, and the array for a longer one.
    """
    around, within = program.arrays[outer], program.arrays[inner]
    if len(around.shape) >= len(within.shape):
        return False
    if within.segment is not None and around.segment != within.segment:
        return True
    others = program.with_statements(s for s in program.statements if s.array != outer)
    return _recurs(program, outer) and _recurs(others, inner)


def _recurs(program: Program, array: str) -> bool:
    return any(c.recurrent and array in c.arrays for c in array_components(program))
