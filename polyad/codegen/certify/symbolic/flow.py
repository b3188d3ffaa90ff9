"""Whether each cell that is read was written last by whoever has the element that is meant."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence

import islpy as isl

from polyad import islx
from polyad.codegen.certify.symbolic.events import Event
from polyad.codegen.certify.symbolic.refused import UnprovedError

__all__ = ["before", "elements", "found_elements", "times", "union"]


def union(maps: Iterable[isl.Map]) -> isl.UnionMap:
    """A union of maps."""
    return islx.union_map(maps)


def times(events: Iterable[Event]) -> isl.UnionMap:
    """{ p[i...] -> [time] }."""
    return union(e.time for e in events)


def elements(events: Iterable[Event], origins: isl.UnionMap | None) -> isl.UnionMap:
    """{ p[i...] -> A[...] }, the element that it is a copy of where nobody copies it."""
    found = union(e.element for e in events)
    if origins is None:
        return found
    copied = origins.domain()
    for _ in range(4):
        inside = found.intersect_range(copied)
        if inside.is_empty():
            return found
        found = found.subtract_range(copied).union(inside.apply_range(origins))
    raise UnprovedError(isl.Set("{ : }"), "copies of copies have no end")


def before(length: int) -> isl.UnionMap:
    """{ [t] -> [t'] : t is before t' }."""
    space = isl.Space.set_alloc(isl.DEFAULT_CONTEXT, 0, length)
    return isl.UnionMap.from_map(isl.Map.lex_lt(space))


def found_elements(events: Sequence[Event], origins: isl.UnionMap | None) -> isl.UnionMap:
    """Prove it for the events of one piece of memory.

    Returns:
        { writing -> needing }: who wrote what is found there.

    Raises:
        UnprovedError: something is read that nobody wrote, or another element, at some sizes.
    """
    spaces: Mapping[str, list[Event]] = {e.space: [f for f in events if f.space == e.space] for e in events}
    flow = isl.UnionMap("{ }")
    for space, own in spaces.items():
        needing, writing = [e for e in own if e.needs], [e for e in own if e.writes]
        if not needing:
            continue
        others = [e for e in events if e.space != space and e.writes]
        info = isl.UnionAccessInfo.from_sink(union(e.cell for e in needing))
        info = info.set_must_source(union(e.cell for e in writing))
        if others:
            cells = union(e.cell for e in own).range()
            anywhere = islx.union_set(e.where for e in others)
            info = info.set_may_source(isl.UnionMap.from_domain_and_range(anywhere, cells))
        info = info.set_schedule_map(times([*needing, *writing, *others]))
        found = info.compute_flow()
        unwritten = found.get_may_no_source()
        if not unwritten.is_empty():
            raise _failed(unwritten, needing, "reads what nobody wrote")
        last = found.get_may_dependence()
        if others:
            changed = last.intersect_domain(islx.union_set(e.where for e in others))
            if not changed.is_empty():
                raise _failed(changed, needing, "may find what another array left there")
        agree = elements(writing, origins).apply_range(elements(needing, origins).reverse())
        wrong = last.subtract(agree)
        if not wrong.is_empty():
            raise _failed(wrong, needing, "finds another element")
        flow = flow.union(last)
    return flow


def _failed(wrong: isl.UnionMap, needing: Sequence[Event], what: str) -> UnprovedError:
    first = islx.maps(wrong)[0]
    sink = (
        first.get_tuple_name(isl.dim_type.in_)
        if what == "reads what nobody wrote"
        else first.get_tuple_name(isl.dim_type.out)
    )
    title = next((e.title for e in needing if e.name == sink), "something")
    array = next((e.array for e in needing if e.name == sink), "")
    return UnprovedError(first, f"{title} {what}, for {array}")
