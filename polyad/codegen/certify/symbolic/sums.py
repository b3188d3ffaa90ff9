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
from polyad.codegen.certify.symbolic.flow import before, elements, times
from polyad.codegen.certify.symbolic.refused import UnprovedError

__all__ = ["check_sum"]


def check_sum(array: str, events: Sequence[Event], flow: isl.UnionMap, length: int, variables: bool) -> None:
    """Prove it for one array.

    Args:
        array: which has contributions.
        events: of all accesses to its elements.
        flow: { writing -> needing }, of its cells.
        length: of times.
        variables: some of its cells are not in memory.

    Raises:
        UnprovedError: it is not so at some sizes.
    """
    adding = [e for e in events if e.kind == "contribute"]
    making = [e for e in events if e.kind == "define"]
    reading = [e for e in events if e.kind == "read"]
    _in_order(making, adding, length, f"{array} is defined after something was added to it")
    _in_order(adding, reading, length, f"{array} is read before all of it was added")
    if not variables:
        return
    needing = [e for e in events if e.needs]
    changing = [*making, *adding]
    when = times(events)
    pairs = elements(changing, None).apply_range(elements(needing, None).reverse())
    earlier = before(length).apply_domain(when.reverse()).apply_range(when.reverse())
    pairs = pairs.intersect(earlier)
    behind = flow.apply_range(pairs.reverse())  # { writing -> changing before the same access }
    moments = behind.apply_domain(when).apply_range(when)
    late = moments.intersect(before(length))
    if not late.is_empty():
        raise UnprovedError(islx.maps(late)[0], f"something is added to {array} that is not in the cell that is read")


def _in_order(first: Sequence[Event], then: Sequence[Event], length: int, what: str) -> None:
    if not first or not then:
        return
    pairs = elements(first, None).apply_range(elements(then, None).reverse())
    moments = pairs.apply_domain(times(first)).apply_range(times(then))
    wrong = moments.subtract(before(length))
    if not wrong.is_empty():
        raise UnprovedError(islx.maps(wrong)[0], what)
