"""Whether each cell that is read was written last by whoever has the element that is meant."""

from __future__ import annotations

from collections.abc import Container, Iterable, Mapping, Sequence
from dataclasses import dataclass

import islpy as isl

from polyad import islx
from polyad.codegen.certify.symbolic.copies import Copied
from polyad.codegen.certify.symbolic.events import Event, NotModelledError
from polyad.codegen.certify.symbolic.refused import UnprovedError

__all__ = ["ReachingWrites", "before", "flow_of", "last_writes", "times"]


@dataclass(frozen=True, slots=True, eq=False)
class ReachingWrites:
    """The writes that reads find.

    Attributes:
        last: { writing -> needing }: who wrote what is found.
        claims: event -> { p[i...] -> the element in its cell }; none where something is copied that nobody needs.
        starts: { needing -> element }: where an element is found that another one begins with.
    """

    last: isl.UnionMap
    claims: Mapping[str, isl.UnionMap]
    starts: isl.UnionMap

    def elements(self, events: Iterable[Event]) -> isl.UnionMap:
        """The elements of some events."""
        return _joined(self.claims[e.name] for e in events)


def times(events: Iterable[Event]) -> isl.UnionMap:
    """{ p[i...] -> [time] }."""
    return islx.union_map(e.time for e in events)


def before(length: int) -> isl.UnionMap:
    """{ [t] -> [t'] : t is before t' }."""
    space = isl.Space.set_alloc(isl.DEFAULT_CONTEXT, 0, length)
    return isl.UnionMap.from_map(isl.Map.lex_lt(space))


def flow_of(
    events: Sequence[Event],
    writes: Iterable[tuple[isl.UnionMap, isl.UnionSet]],
    copied: Copied | None,
    pairs: Mapping[str, str],
    claimless: Container[str],
) -> ReachingWrites:
    """Prove it.

    Args:
        events: all of them.
        writes: `last_writes` of each piece of memory.
        copied: copies that never run.
        pairs: event that takes what a cell holds -> the one that puts it elsewhere.
        claimless: the events after which nobody may find an element in their cells.

    Raises:
        UnprovedError: something is read that nobody wrote, or another element, at some sizes.
    """
    needing = {e.name: e for e in events if e.needs}
    claims: dict[str, isl.UnionMap] = {}
    last, unwritten = isl.UnionMap("{ }"), isl.UnionSet("{ }")
    for event in events:
        own = isl.UnionMap.from_map(event.element) if event.name not in claimless else isl.UnionMap("{ }")
        claims[event.name] = own if copied is None else copied.original(own)
    for found, nothing in writes:
        last, unwritten = last.union(found), unwritten.union(nothing)
    failing = unwritten
    for _ in range(_ROUNDS):
        wanted = _joined(claims[n] for n in needing)
        agree = _joined(claims.values()).apply_range(wanted.reverse())
        wrong = last.intersect_range(wanted.domain()).subtract(agree)
        starts = isl.UnionMap("{ }")
        if copied is not None:
            beginning = _joined(claims[n] for n, e in needing.items() if e.kind != "read").apply_range(copied.begins)
            first = wrong.intersect(_joined(claims.values()).apply_range(beginning.reverse()))
            starts, wrong = beginning.intersect_domain(first.range()), wrong.subtract(first)
        failing = unwritten.union(wrong.range())
        lost = [s for s in islx.sets(failing) if s.get_tuple_name() in pairs]
        lost = [s for s in lost if not claims[s.get_tuple_name()].intersect_domain(_one(s)).is_empty()]
        if not lost:
            break
        for taken in lost:  # whatever it is, it is copied; whoever finds it there finds no element
            name = taken.get_tuple_name()
            claims[name] = claims[name].subtract_domain(_one(taken))
            put = pairs[name]
            claims[put] = claims[put].subtract_domain(_one(taken.set_tuple_name(put)))
    else:
        raise NotModelledError("copies of what is not there go too far")
    for wrong_set in islx.sets(failing):
        name = wrong_set.get_tuple_name()
        if name not in pairs:
            event = needing[name]
            raise UnprovedError(wrong_set, f"{event.title} may not find its element of {event.array}")
    return ReachingWrites(last, claims, starts)


_ROUNDS = 6


def _one(instances: isl.Set) -> isl.UnionSet:
    return isl.UnionSet.from_set(instances)


def _joined(maps: Iterable[isl.UnionMap]) -> isl.UnionMap:
    found = isl.UnionMap("{ }")
    for one in maps:
        found = found.union(one)
    return found


def _short_times(events: Sequence[Event]) -> isl.UnionMap:
    """{ p[i...] -> [time] } without the components that are one number for all."""
    rows = zip(*(e.moment for e in events), strict=True)
    gone = [k for k, row in enumerate(rows) if len({*row}) == 1 and row[0].lstrip("-").isdecimal()]
    found = []
    for event in events:
        time = event.time
        for k in reversed(gone):
            time = time.project_out(isl.dim_type.out, k, 1)
        found.append(time)
    return islx.union_map(found)


def last_writes(events: Sequence[Event]) -> tuple[isl.UnionMap, isl.UnionSet]:
    """({ writing -> needing }, what may find nothing that was written), in one piece of memory."""
    last, unwritten = isl.UnionMap("{ }"), isl.UnionSet("{ }")
    for space in dict.fromkeys(e.space for e in events):
        own = [e for e in events if e.space == space]
        needing, writing = [e for e in own if e.needs], [e for e in own if e.writes]
        if not needing:
            continue
        others = [e for e in events if e.space != space and e.writes]
        info = isl.UnionAccessInfo.from_sink(islx.union_map(e.cell for e in needing))
        info = info.set_must_source(islx.union_map(e.cell for e in writing))
        if others:
            cells = islx.union_map(e.cell for e in own).range()
            anywhere = islx.union_set(e.where for e in others)
            info = info.set_may_source(isl.UnionMap.from_domain_and_range(anywhere, cells))
        found = info.set_schedule_map(_short_times([*own, *others])).compute_flow()
        unwritten = unwritten.union(found.get_may_no_source().domain())
        flow = found.get_may_dependence()
        if others:
            names = islx.union_set(e.where for e in others)
            unwritten = unwritten.union(flow.intersect_domain(names).range())
            flow = flow.subtract_domain(names)
        last = last.union(flow)
    return last, unwritten
