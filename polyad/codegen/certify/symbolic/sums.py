"""Whether whoever reads an element finds all of its contributions.

Each contribution runs once (instances.py), and each access to a cell finds the element that is meant (flow.py). So the
cell holds all that was added to the element until then, if what was added last was added there: between the last
write of the cell and the access, nothing is added to the element elsewhere, in a C variable or in memory. With that,
what is left is order: definitions come before contributions, and contributions before reads.
"""

from __future__ import annotations

from collections.abc import Sequence

import islpy as isl

from polyad import islx
from polyad.codegen.certify.symbolic.events import Event
from polyad.codegen.certify.symbolic.flow import ReachingWrites, before, times
from polyad.codegen.certify.symbolic.refused import UnprovedError

__all__ = ["check_sums"]


def check_sums(events: Sequence[Event], flow: ReachingWrites, memory: str, name: str, length: int) -> None:
    """Prove it for the elements of one array.

    Args:
        events: all that have one of them in their cells, in the order of the text.
        flow: what is found where.
        memory: the name of its cells in memory.
        name: of its elements.
        length: of times.

    Raises:
        UnprovedError: it is not so at some sizes.
    """
    when = times(events)
    kinds = {k: _of(name, flow.elements(e for e in events if e.kind == k)) for k in ("define", "contribute", "read")}
    begun = _of(name, flow.starts)
    _in_order(kinds["define"], kinds["contribute"], when, length)
    _in_order(kinds["contribute"], kinds["read"].union(begun), when, length)
    # Where an element is found that this one begins with, nothing was added to it yet.
    starting = flow.starts.domain()
    needing = _of(name, flow.elements(e for e in events if e.kind in ("contribute", "take")))
    starts = needing.intersect_domain(starting)
    if not starts.is_empty():
        pairs = kinds["contribute"].apply_range(starts.reverse())
        _none_earlier(pairs, when, length)
    if {e.space for e in events} == {memory}:
        return
    changing = kinds["define"].union(kinds["contribute"])
    pairs = changing.apply_range(needing.union(kinds["read"]).union(begun).reverse())
    behind = flow.last.apply_range(_earlier(pairs, events, length).reverse())  # { writing -> changing before the same }
    _none_earlier(behind, when, length)


def _of(name: str, elements: isl.UnionMap) -> isl.UnionMap:
    """Those that are elements of one array."""
    return islx.union_map(m for m in islx.maps(elements) if m.get_tuple_name(isl.dim_type.out) == name)


def _earlier(pairs: isl.UnionMap, events: Sequence[Event], length: int) -> isl.UnionMap:
    """The pairs of which the first is before the second."""
    when = {e.name: e.time for e in events}
    (order,) = islx.maps(before(length))
    found = []
    for pair in islx.maps(pairs):
        first, second = (when[pair.get_tuple_name(kind)] for kind in (isl.dim_type.in_, isl.dim_type.out))
        found.append(pair.intersect(first.apply_range(order).apply_range(second.reverse())))
    return islx.union_map(found)


def _in_order(first: isl.UnionMap, then: isl.UnionMap, when: isl.UnionMap, length: int) -> None:
    """Check that whoever has an element first does so before whoever has it then."""
    pairs = first.apply_range(then.reverse())
    if pairs.is_empty():
        return
    wrong = pairs.apply_domain(when).apply_range(when).subtract(before(length))
    if not wrong.is_empty():
        raise UnprovedError(islx.maps(wrong)[0], "an element is read before all was added to it")


def _none_earlier(pairs: isl.UnionMap, when: isl.UnionMap, length: int) -> None:
    """The first of no pair is before the second."""
    late = pairs.apply_domain(when).apply_range(when).intersect(before(length))
    if not late.is_empty():
        raise UnprovedError(islx.maps(late)[0], "something was added to an element, but not in the cell that is read")
