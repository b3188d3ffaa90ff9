"""Whether two iterations that run at the same time touch one cell, one of them writing."""

from __future__ import annotations

from collections.abc import Sequence

import islpy as isl

from polyad import islx
from polyad.codegen.certify.symbolic.events import Construct, Event, NotModelledError, Section
from polyad.codegen.certify.symbolic.flow import before
from polyad.codegen.certify.symbolic.refused import UnprovedError

__all__ = ["check_races"]


def check_races(events: Sequence[Event], barriers: Sequence[isl.Set], length: int) -> None:
    """Prove that they do not, for the events of one piece of memory.

    Raises:
        UnprovedError: they do, at some sizes.
    """
    if not any(e.writes for e in events):
        return
    constructs = {c.number: c for e in events for c in e.constructs}
    for construct in constructs.values():
        inside = [e for e in events if any(c.number == construct.number for c in e.constructs)]
        _check_loop(construct, inside)
    for section in {e.section.number: e.section for e in events if e.section is not None}.values():
        inside = [e for e in events if e.section is not None and e.section.number == section.number and not e.own]
        _check_region(section, inside, barriers, length)


def _check_loop(construct: Construct, events: Sequence[Event]) -> None:
    """No two iterations of a loop."""
    if events[0].space in construct.exempt:
        if any(e.kind != "contribute" for e in events):
            raise NotModelledError(f"{events[0].array} is used in the loop that adds it up")
        return
    spaces = {e.space for e in events}
    for space in spaces:
        own = [e for e in events if e.space == space]
        _disjoint(
            [_touched(e, construct.depth, True) for e in own if e.writes],
            [_touched(e, construct.depth, True) for e in own],
            own,
        )
        others = [e for e in events if e.space != space]
        if others:
            _disjoint(
                [_touched(e, construct.depth, False) for e in own if e.writes],
                [_touched(e, construct.depth, False) for e in others],
                own,
            )


def _touched(event: Event, depth: int, cells: bool) -> isl.Map:
    """{ [outer iterations, cell] -> [iteration] }."""
    count = event.where.dim(isl.dim_type.set)
    found = event.cell if cells else event.cell.project_out(isl.dim_type.out, 0, event.cell.dim(isl.dim_type.out))
    found = found.reset_tuple_id(isl.dim_type.out) if found.has_tuple_id(isl.dim_type.out) else found
    found = found.reset_tuple_id(isl.dim_type.in_)
    found = found.project_out(isl.dim_type.in_, depth + 1, count - depth - 1)  # the loops inside
    flat = found.wrap().flatten()  # [outer iterations, iteration, cell]
    size = flat.dim(isl.dim_type.set)
    relation = isl.Map.from_domain(flat)
    return relation.move_dims(isl.dim_type.out, 0, isl.dim_type.in_, depth, 1) if size else relation


def _disjoint(writes: Sequence[isl.Map], touches: Sequence[isl.Map], events: Sequence[Event]) -> None:
    if not writes or not touches:
        return
    written, touched = writes[0], touches[0]
    for other in writes[1:]:
        written = written.union(other)
    for other in touches[1:]:
        touched = touched.union(other)
    pairs = written.reverse().apply_range(touched)
    same = isl.Map.identity(pairs.get_space())
    wrong = pairs.subtract(same)
    if not wrong.is_empty():
        raise UnprovedError(wrong, f"two iterations touch {events[0].array} at the same time")


def _check_region(section: Section, events: Sequence[Event], barriers: Sequence[isl.Set], length: int) -> None:
    """No two parts of the work of a region, without a barrier between them."""
    writes = [e for e in events if e.writes]
    if any(e.section is not None and e.section.part is None for e in writes):
        raise NotModelledError(f"every thread of a region writes {events[0].array}")
    if not writes:
        return
    moments: isl.Map | None = None
    for one in writes:
        for two in events:
            for x, y in ((one, two), (two, one)):
                found = _meeting(x, y, section).apply_domain(x.time).apply_range(y.time)
                moments = found if moments is None else moments.union(found)
    assert moments is not None, "there are writes"
    later = islx.maps(before(length))[0]
    moments = moments.intersect(later)
    if moments.is_empty():
        return
    if barriers:
        waits = barriers[0]
        for other in barriers[1:]:
            waits = waits.union(other)
        apart = later.intersect_range(waits).apply_range(later.intersect_domain(waits))
        moments = moments.subtract(apart)
    if not moments.is_empty():
        raise UnprovedError(moments, f"threads of a region touch {events[0].array} without a barrier between them")


def _meeting(x: Event, y: Event, section: Section) -> isl.Map:
    """{ x -> y }: the same cell, in one execution of the region, by different parts."""
    if x.space == y.space:
        found = x.cell.apply_range(y.cell.reverse())
    else:
        found = isl.Map.from_domain_and_range(x.where, y.where)
    for d in range(section.depth):
        found = found.equate(isl.dim_type.in_, d, isl.dim_type.out, d)
    assert x.section is not None and y.section is not None, "they are in the region"
    if x.section.part is None or x.section.part != y.section.part:
        return found
    same = found
    for d in range(section.depth, x.section.inner):
        same = same.equate(isl.dim_type.in_, d, isl.dim_type.out, d)
    return found.subtract(same)
