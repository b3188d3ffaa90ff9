"""The part of a price that one core computes: instructions, by what fills vectors and what waits.

    statement = instances * (operations + accesses) / lanes        in a vector loop
                instances * max(operations + accesses, latency)    where each sum waits for the one before

An access counts where it is made: not along a loop in which its element stays, and for one of several iterations that
are jammed. One that strides through memory counts as `Machine.strided` and is never part of a vector.
"""

from __future__ import annotations

from collections.abc import Mapping
from collections.abc import Sequence as Several
from dataclasses import dataclass
from functools import lru_cache
from math import ceil

from polyad.analysis.statement_cost import statement_cost
from polyad.analysis.strides import Stride
from polyad.ir.affine import Affine
from polyad.ir.element_types import item_bytes
from polyad.ir.expr import Apply
from polyad.ir.statement import Statement
from polyad.machine import Machine
from polyad.ops import OPS
from polyad.schedule.pricing.nests import Loop
from polyad.schedule.state.loop_order import Profile, profile
from polyad.schedule.tree.marks import ContractionMark, JamMark, LanesMark, PartsMark, PrefixMark, SimdMark

__all__ = ["instructions"]

_profile = lru_cache(maxsize=2048)(profile)  # the same for all orders of a program


@dataclass(frozen=True, slots=True)
class _Inner:
    """The way a statement runs in its innermost loops.

    Attributes:
        lanes: instances at a time.
        along: the dimension of the statement that these, or single iterations, go along; "" for none.
        trips: iterations of the innermost loop.
    """

    lanes: int
    along: str
    trips: float


def instructions(statement: Statement, instances: float, loops: Several[Loop], machine: Machine) -> float:
    """Instructions of all instances of a statement.

    Args:
        statement: the statement.
        instances: their number.
        loops: around it, outermost first.
        machine: lanes of vectors, and what operators and accesses cost.
    """
    width = max(machine.vector_bytes // item_bytes(statement.body.dtype), 1)
    if any(isinstance(loop.mark, ContractionMark) for loop in loops):
        return instances / width  # two products and sums at a time, and as many instructions beside them
    shape = _profile(statement, machine)
    inner = _inner(statement, loops, width)
    accesses = [(shape.write, 2 if statement.reduction else 1), *((r, 1) for r in shape.reads)]
    moved = sum(count * _moves(access, statement, inner, loops, machine) for access, count in accesses)
    work = statement_cost(statement, machine) - 1 + moved
    if inner.lanes == 1:
        work += (machine.called - 1) * _functions(statement, machine)
    whole = ceil(inner.trips / inner.lanes) * inner.lanes / inner.trips if inner.trips else 1.0
    each = work * whole / inner.lanes
    if _waits(statement, shape, inner, loops):
        each = max(each, machine.latency / (1 if inner.lanes == 1 else inner.lanes))
    ends = machine.loop_start
    if inner.lanes > 1 and statement.reduction is not None and shape.write.get(inner.along) == 0:
        ends *= 1 + width.bit_length()  # the lanes are added up
    return instances * each + instances / max(inner.trips, 1.0) * ends


def _inner(statement: Statement, loops: Several[Loop], width: int) -> _Inner:
    lanes, along, trips = 1, "", 1.0
    for loop in loops:
        row = loop.rows.get(statement.name)
        if row is not None and (dim := _dimension(row, statement)):
            along, trips = dim, loop.trips
    for loop in loops:
        row = loop.rows.get(statement.name, Affine.of(0))
        vector = isinstance(loop.mark, SimdMark | LanesMark | PrefixMark) or loop.mark == PartsMark(simd=True)
        if vector and (isinstance(loop.mark, LanesMark) or loop is loops[-1]):
            lanes, along = width, _dimension(row, statement) or along
    return _Inner(lanes, along, trips)


def _dimension(row: Affine, statement: Statement) -> str:
    """The last dimension of a statement that a row goes along."""
    names = row.names()
    return next((d for d in reversed(statement.dims) if d in names), "")


def _moves(access: Mapping[str, Stride], s: Statement, inner: _Inner, loops: Several[Loop], machine: Machine) -> float:
    """Loads or stores of one access for each instance."""
    stride = access.get(inner.along, 0) if inner.along else 0
    if stride == 0 and inner.along:
        return 0.0
    cost = 1.0 if stride == 1 else float(machine.strided) * inner.lanes
    for loop in loops[:-1]:
        if isinstance(loop.mark, JamMark):
            dim = _dimension(loop.rows.get(s.name, Affine.of(0)), s)
            if dim and access.get(dim) == 0:
                cost /= max(min(loop.mark.count, loop.trips), 1.0)
    return cost


def _waits(statement: Statement, shape: Profile, inner: _Inner, loops: Several[Loop]) -> bool:
    """Whether each instance adds to what the one before has added to."""
    if statement.reduction is None or not inner.along or shape.write.get(inner.along) != 0:
        return False
    return not any(isinstance(loop.mark, JamMark | LanesMark) for loop in loops)


def _functions(statement: Statement, machine: Machine) -> int:
    """The cost of the functions of an instance, which are calls where single numbers are given to them."""
    found = (OPS[e.op].cost_of(e.args, machine) for e in statement.expressions() if isinstance(e, Apply))
    return sum(cost for cost in found if cost >= machine.exp)
