"""Arrays that prefix scans read and write beside their state, and what may be folded of them.

    for t:
      for j, as a prefix scan:  q[t, j] = a[t, j] * q[t, j - 1] + v[t, j]

On a GPU the workspace has, besides, the room in which blocks leave for each other what they combined of it.

A scan runs many of its steps at once, and not all statements in the order of its body, so elements that it touches in
different steps must not share a place. Those that one run of it never touches together may: v[t], of one t at a time.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from polyad.codegen.loops.how import Prefix
from polyad.codegen.loops.linear_state import linear_state
from polyad.codegen.loops.nodes import Block, Loop
from polyad.codegen.loops.statement_accesses import Touch, cell_of
from polyad.codegen.loops.traversal import instances, nodes
from polyad.codegen.storage.memory_plan import Slot
from polyad.ir.affine import Affine
from polyad.ir.program import Program
from polyad.machine import Machine
from polyad.machine.device import DEVICE

__all__ = ["TOTALS", "beside_scans", "totals_slot"]

TOTALS = "pa_totals"
"""The name of the slot, and of the C variable: no array of a program has it (names.py)."""

Cell = tuple[Affine, ...]


def beside_scans(
    loops: Block,
    touches: Mapping[str, tuple[Touch, ...]],
    program: Program,
    machine: Machine,
    strides: bool = False,
) -> dict[str, frozenset[int]]:
    """The arrays beside the state in loops that become prefix scans.

    Args:
        loops: the loops of the program.
        touches: the accesses of all statements.
        program: the program.
        machine: says which loops become prefix scans.
        strides: they may have steps that are far apart in memory.

    Returns:
        Array -> the dimensions along which each of these loops stays at one place while it runs.
    """
    statements = {s.name: s for s in program.statements}
    found: dict[str, frozenset[int]] = {}
    for loop in (n for n in nodes(loops) if isinstance(n, Loop) and isinstance(n.how, Prefix)):
        if state := linear_state(loop, touches, statements, {}, machine, strides):
            touched = [(t.array, cell_of(t, i)) for i in instances(loop) for t in touches[i.statement]]
            for array in {name for name, _ in touched} - {state.array}:
                cells = [cell for name, cell in touched if name == array]
                dims = found.get(array, frozenset(range(len(program.arrays[array].shape))))
                found[array] = frozenset(d for d in dims if _stays(cells, d, loop.iterator))
    return found


def _stays(cells: Sequence[Cell | None], d: int, iterator: str) -> bool:
    """Whether all elements have one index along a dimension, the same in all iterations."""
    places = {None if cell is None else cell[d] for cell in cells}
    return len(places) == 1 and all(p is not None and iterator not in p.names() for p in places)


def totals_slot(loops: Block) -> Slot | None:
    """Return the room for the segments of the prefix scans of a program, which run one after the other.

    One of them has three numbers, and a row its first state (polyad_cuda_scans.h). Where rows have more than one, there
    are no more of all of them than blocks, with a lane for each row of a block.
    """
    if not any(isinstance(n, Loop) and isinstance(n.how, Prefix) for n in nodes(loops)):
        return None
    return Slot((TOTALS,), "float64", (Affine.of(4 * DEVICE.scan_blocks * DEVICE.scan_lanes),))
