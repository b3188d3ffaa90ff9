"""The memory in which contractions keep copies of their operands: the `pa_room` of polyad_contraction.h.

A contraction copies panels of one operand and rows of the other, and looks up offsets. That lies in the workspace, one
part for each thread that may run, instead of on the C stack, where it would be 350 KiB. The parts are as large as the
largest contraction needs on any machine:

    tables   16 bytes for each row of a block
    panel    as many bytes as four of the widest vectors, for each term of a block; none where panels are packed before
    copies   the rows of a block, each as long as its terms and 16 elements more; none where rows are contiguous

Where extents depend on sizes, the largest blocks are assumed, so that the room is one number. The property that must
hold: what `pa_contract_part` needs is never more (tests/polyad_c/test_contraction_header.py measures it).
"""

from __future__ import annotations

from collections.abc import Callable, Sequence

import numpy as np

from polyad.codegen.loops.how import Parallel
from polyad.codegen.loops.nodes import Block, Contraction, ContractionAxis, Loop, Node, Shape, Share
from polyad.codegen.loops.traversal import children
from polyad.codegen.storage.memory_plan import ALIGNMENT, EVERY_THREAD, Slot
from polyad.ir.affine import Affine
from polyad.ir.element_types import item_bytes
from polyad.machine import Machine

__all__ = ["BYTE", "ROOM", "room_bytes", "room_needed", "room_slot"]

BYTE = "byte"
"""The element type of the slot."""

ROOM = "pa_space"
"""The name of the slot, and of the C variable: no array of a program has it (names.py)."""

# Of polyad_contraction.h, by their names there; PANEL_BYTES is the largest of all machines.
BLOCK_M, BLOCK_K, PANEL_BYTES, COPY_BYTES = 768, 256, 256, 290 * 1024

ShapeOf = Callable[[Contraction], Shape | None]


def room_slot(root: Block, shape_of: ShapeOf, openmp: bool, machine: Machine) -> Slot | None:
    """The slot of the workspace for all contractions of a program, None where there is none.

    Args:
        root: the loops of the program.
        shape_of: what the macro-kernel is told of a nest, None where it is printed as loops.
        openmp: threads may run.
        machine: from how many multiplications on they do.
    """
    found = [(node, shape, inside) for node, inside in _contractions(root, False) if (shape := shape_of(node))]
    if not found:
        return None
    each = max(room_needed(shape, node) for node, shape, _ in found)
    threads = openmp and any(inside or _is_worth_threads(shape, machine) for _, shape, inside in found)
    return Slot((ROOM,), BYTE, (Affine.of(each),), EVERY_THREAD if threads else None)


def room_bytes(rows: int | None, terms: int | None, itemsize: int, *, packed: bool, direct: bool) -> int:
    """Return the bytes a thread needs at most for a contraction, a multiple of `ALIGNMENT`.

    Args:
        rows: the extent of m, None when it is not known.
        terms: the extent of k.
        itemsize: bytes of an element.
        packed: b is in panels already.
        direct: k is one loop along which a is contiguous.
    """
    block_m, block_k = (most if n is None else max(min(n, most), 1) for n, most in ((rows, BLOCK_M), (terms, BLOCK_K)))
    tables = 2 * _aligned(8 * block_m)
    panel = 0 if packed else PANEL_BYTES * block_k
    copied = COPY_BYTES if rows is None else min((rows + 5) * (block_k + 16) * itemsize, COPY_BYTES)
    return tables + panel + (0 if direct else _aligned(copied))


def room_needed(shape: Shape, node: Contraction) -> int:
    """Return the bytes a thread needs at most for a contraction."""
    direct = len(shape.sums) < 2 and all(x.strides[1] == {(): 1} for x in shape.sums)
    itemsize = item_bytes(shape.dtype)
    return room_bytes(_extent(shape.rows), _extent(shape.sums), itemsize, packed=bool(node.packed), direct=direct)


def _contractions(node: Node, threaded: bool) -> list[tuple[Contraction, bool]]:
    """The contractions of a tree; whether several threads may run one each."""
    if isinstance(node, Contraction):
        return [(node, threaded)]
    threaded = threaded or isinstance(node, Share) or (isinstance(node, Loop) and isinstance(node.how, Parallel))
    return [found for child in children(node) for found in _contractions(child, threaded)]


def _extent(axes: Sequence[ContractionAxis]) -> int | None:
    """The iterations of a group, None where they depend on sizes."""
    result = 1
    for axis in axes:
        if not isinstance(axis.count, Affine) or not axis.count.is_constant:
            return None
        result *= max(axis.count.constant, 0)
    return result


def _is_worth_threads(shape: Shape, machine: Machine) -> bool:
    extents = [_extent(axes) for axes in (shape.rows, shape.columns, shape.sums)]
    return (
        any(n is None for n in extents) or float(np.prod([float(n or 0) for n in extents])) > machine.shared_contraction
    )


def _aligned(count: int) -> int:
    return -(-count // ALIGNMENT) * ALIGNMENT
