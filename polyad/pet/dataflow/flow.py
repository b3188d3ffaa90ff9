"""Exact dataflow: who wrote the value that is read?

For each read, isl finds the last instance, in the order of the C text, that wrote the element before: the source. Where
there is none, the value stood in the array before the loop nest began.

    source { S[i] -> T[j] }     T[j] wrote what S[i] reads
    outside { S[i] -> x[c] }    S[i] reads what stood in x before

Source: P. Feautrier, Dataflow analysis of array and scalar references, 1991.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import islpy as isl

from polyad import islx
from polyad.pet.dataflow.assignments import Assignment, cells
from polyad.pet.dataflow.order import ExecutionOrder
from polyad.pet.dataflow.scatters import Scatter
from polyad.pet.dataflow.updates import Update
from polyad.pet.scop import Access, nodes

__all__ = ["Flow", "Origin", "dataflow", "last_writers", "reads_of", "reads_of_update"]


@dataclass(frozen=True, slots=True, eq=False)
class Origin:
    """The sources of the values of one read.

    Attributes:
        sources: statement name -> { S[i] -> T[j] }; each read of a data-dependent element may have many.
        outside: { S[i] -> x[c] }: reads of what stood in the array before.
    """

    sources: Mapping[str, isl.Map]
    outside: isl.Map


@dataclass(frozen=True, slots=True, eq=False)
class Flow:
    """The sources of all values.

    Attributes:
        reads: of each read of each assignment.
        last: array -> where the content comes from that the array is left with; the reader is `x[c]` itself.
    """

    reads: Mapping[Access, Origin]
    last: Mapping[str, Origin]


def dataflow(
    statements: Sequence[Assignment], found: Sequence[Scatter], order: ExecutionOrder, left: Mapping[str, isl.Set]
) -> Flow:
    """The sources of all reads of a loop nest, and of what it leaves in its arrays.

    Args:
        statements: its assignments to elements that are known.
        found: its updates of elements that data choose.
        order: in which instances run.
        left: array -> { x[c] } all elements, for arrays whose content matters after the loop nest.
    """
    steps = [scatter.step for scatter in found]
    order = order.with_times([scatter.after for scatter in found])
    writes: dict[str, list[isl.Map]] = {}
    for s in (*statements, *steps):
        writes.setdefault(s.target.array, []).append(s.write())
    reads: dict[Access, Origin] = {}
    for reader, node in [*((s, n) for s in statements for n in reads_of(s)), *_reads_of_updates(found)]:
        if node not in reads:
            reads[node] = _origin(cells(node).intersect_domain(reader.domain), writes.get(node.array, ()), order)
    for scatter in found:
        assert isinstance(scatter.step.value, Access)
        reads[scatter.step.value] = _before(scatter, writes, order)
    last = {n: _left(elements, writes[n], order) for n, elements in left.items() if n in writes}
    return Flow(reads, last)


def reads_of(statement: Assignment) -> list[Access]:
    """All reads of an assignment, those in subscripts included."""
    tops = (statement.value, *statement.target.arguments)
    return [node for top in tops for node in nodes(top) if isinstance(node, Access)]


def reads_of_update(statement: Assignment, update: Update) -> list[Access]:
    """The reads of an update: all but those of the element that it updates."""
    tops = (*update.terms, *statement.target.arguments)
    return [node for top in tops for node in nodes(top) if isinstance(node, Access)]


def _reads_of_updates(found: Sequence[Scatter]) -> list[tuple[Assignment, Access]]:
    return [(s, node) for scatter in found for s, u in scatter.updates for node in reads_of_update(s, u)]


def _origin(sink: isl.Map, writes: Sequence[isl.Map], order: ExecutionOrder) -> Origin:
    if not writes:
        return Origin({}, sink)
    access = isl.UnionAccessInfo.from_sink(isl.UnionMap.from_map(sink))
    try:
        flow = access.set_must_source(islx.union_map(writes)).set_schedule_map(order.times).compute_flow()
    except isl.Error:  # isl's own analysis gives up on some domains with strides
        return last_writers(sink, writes, order)
    found = islx.maps(flow.get_must_dependence().reverse())
    sources = {m.get_tuple_name(isl.dim_type.out) or "": m.coalesce() for m in found}
    outside = isl.Map.empty(sink.get_space())
    for piece in islx.maps(flow.get_must_no_source()):
        outside = outside.union(piece)
    return Origin(sources, outside.coalesce())


def last_writers(sink: isl.Map, writes: Sequence[isl.Map], order: ExecutionOrder) -> Origin:
    """The same, by its definition: of all writes to an element before the read, the one with the greatest time."""
    when = order.of_statement(sink.domain())
    earlier: dict[str, tuple[isl.Map, isl.Map]] = {}
    latest = isl.Map.empty(when.get_space())
    for write in writes:
        written = order.of_statement(write.domain())
        before = sink.apply_range(write.reverse()).intersect(written.lex_lt_map(when).reverse())
        earlier[write.get_tuple_name(isl.dim_type.in_) or ""] = before, written
        latest = latest.union(before.apply_range(written))
    latest = latest.lexmax()
    sources = {n: latest.apply_range(t.reverse()).intersect(before).coalesce() for n, (before, t) in earlier.items()}
    outside = sink.subtract_domain(latest.domain())
    return Origin({n: m for n, m in sources.items() if not m.is_empty()}, outside.coalesce())


def _left(elements: isl.Set, writes: Sequence[isl.Map], order: ExecutionOrder) -> Origin:
    """Return the final content of an array: after everything else, an instance for each element reads it."""
    name = elements.get_tuple_name() or ""
    instances = elements.set_tuple_name(f"{name}_after")
    sink = instances.identity().set_tuple_name(isl.dim_type.out, name)
    return _renamed(_origin(sink, writes, order.after_all(instances)), name)


def _before(scatter: Scatter, writes: Mapping[str, Sequence[isl.Map]], order: ExecutionOrder) -> Origin:
    """Return the sources of the elements before the first update of a step."""
    name = scatter.step.name
    reader = f"{name}_before"
    sink = scatter.step.write().set_tuple_name(isl.dim_type.in_, reader)
    order = order.with_times([scatter.before.set_tuple_name(isl.dim_type.in_, reader)])
    return _renamed(_origin(sink, writes[scatter.step.target.array], order), name)


def _renamed(origin: Origin, reader: str) -> Origin:
    """The same, of a reader of another name."""
    sources = {t: m.set_tuple_name(isl.dim_type.in_, reader) for t, m in origin.sources.items()}
    return Origin(sources, origin.outside.set_tuple_name(isl.dim_type.in_, reader))
