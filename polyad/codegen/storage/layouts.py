"""Layouts of temporaries: memory is contiguous along the innermost vector loop.

Along the wavefront w = i + j the elements R[w - j, j] of one diagonal lie an extent apart. Stored at

    R[(i + j) mod I, j]

they lie side by side. For every j the first index runs through a permutation of 0 .. I - 1, so this is the same memory
in another order, whatever is accessed where; elements of two diagonals share a row of it, but no place.

In general, where the innermost concurrent loop moves an access by the vector (v1, ..., vn) (directions.py), some
dimension p with vp = 1 comes last, and index q becomes (index_q - v_q index_p) mod extent_q.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass

from polyad.codegen.loops.statement_accesses import Touch, Touches
from polyad.codegen.storage.schedule_rows import Occurrence, Row
from polyad.ir.affine import Affine, FloorDiv
from polyad.ir.array import Array
from polyad.schedule.state.directions import loop_direction

__all__ = ["Layout", "layouts", "movement"]


@dataclass(frozen=True, slots=True)
class Layout:
    """How an array lies in memory.

    Attributes:
        last: the dimension that is contiguous; the others keep their order.
        skews: dimension -> the multiple of the index along `last` that is added to its own, modulo its extent.
    """

    last: int
    skews: Mapping[int, int]

    def order(self, rank: int) -> list[int]:
        """The dimensions in the order of memory."""
        return [*(d for d in range(rank) if d != self.last), self.last]

    def index(self, index: Sequence[Affine], extents: Sequence[Affine]) -> list[Affine]:
        """The indices, before remainders are taken, which are not negative."""
        along = index[self.last]
        result = list(index)
        for q, factor in self.skews.items():
            result[q] = index[q] + along * factor
            if factor < 0:
                result[q] = result[q] + extents[self.last] * -factor
        return result


def layouts(arrays: Iterable[Array], found: Sequence[Occurrence], touches: Touches) -> dict[str, Layout]:
    """The arrays that are stored skewed.

    Args:
        arrays: the temporaries in memory, without circular buffers.
        found: the paths of the schedule.
        touches: the accesses of all statements.
    """
    candidates = {a.name: a for a in arrays if len(a.shape) > 1}
    moves: dict[str, dict[int, set[tuple[int, ...]]]] = {n: {} for n in candidates}  # array -> depth -> vectors
    for occurrence in found:
        for touch in touches[occurrence.statement]:
            if touch.array not in candidates:
                continue
            if any(i is None for i in touch.index):
                del candidates[touch.array]
                continue
            depth, vector = movement(occurrence, touch)
            if vector is not None and any(vector):
                moves[touch.array].setdefault(depth, set()).add(vector)
    result: dict[str, Layout] = {}
    for name in candidates:
        if moves[name]:
            deepest = moves[name][max(moves[name])]  # the others run less often
            (vector, *others) = deepest
            last = next((d for d in reversed(range(len(vector))) if vector[d] == 1), None)
            if not others and last is not None and sum(v != 0 for v in vector) > 1:
                result[name] = Layout(last, {q: -v for q, v in enumerate(vector) if v and q != last})
    return result


def movement(occurrence: Occurrence, touch: Touch) -> tuple[int, tuple[int, ...] | None]:
    """(number of loops, the vector by which the innermost concurrent loop moves an access)."""
    rows = [step for step in occurrence.path if isinstance(step, Row)]
    if not rows or not rows[-1].concurrent or any(r.value is None for r in rows):
        return len(rows), None
    values = [r.value for r in rows if r.value is not None]
    dims = touch.statement.dims
    step = loop_direction(dims, values[:-1], values[-1])
    if step is None:
        return len(rows), None
    vector = []
    for index in touch.index:
        assert index is not None, "data-dependent accesses were left out"
        if any(isinstance(atom, FloorDiv) for atom, _ in index.terms):
            return len(rows), None
        vector.append(sum(c * step[str(atom)] for atom, c in index.terms if atom in step))
    return len(rows), tuple(vector)
