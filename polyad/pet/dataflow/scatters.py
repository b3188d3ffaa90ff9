"""Updates of elements that data choose: y[p[i]] += e.

Which element an instance updates is not known before, so all such instances together make one step, from all elements
of y before to all elements after:

    y_scatter[c] = y[c] before the first of them;   y_scatter[p[i]] += e for each;   what follows reads y_scatter[c]

In a loop over t whose iterations read y in between, there is one step for each t.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import islpy as isl

from polyad import islx
from polyad.ir.names import unique_name
from polyad.pet.dataflow.assignments import Assignment
from polyad.pet.dataflow.order import ExecutionOrder, beside
from polyad.pet.dataflow.updates import Update, update_of
from polyad.pet.dataflow.widths import rounds_once
from polyad.pet.refusal import SourcePlace
from polyad.pet.scop import Access, Scop, nodes

__all__ = ["Scatter", "scatters"]


@dataclass(frozen=True, slots=True, eq=False)
class Scatter:
    """One step for all updates of an array at places that data choose.

    Attributes:
        step: the step as an assignment of each element to itself: step[t, c]: y[c] = y[c].
        before: { step[t, c] -> [when] } when it reads.
        after: { step[t, c] -> [when] } when it writes.
        first: { step[t, c] -> S[i] } the first of the updates.
        updates: the assignments, and what each combines with its element.
        outer: iterators, outermost first, for each of whose values there is a step.
    """

    step: Assignment
    before: isl.Map
    after: isl.Map
    first: isl.UnionMap
    updates: tuple[tuple[Assignment, Update], ...]
    outer: int


def scatters(
    scop: Scop, statements: Sequence[Assignment], everything: Mapping[str, isl.Set], order: ExecutionOrder
) -> list[Scatter]:
    """The scatters of a loop nest.

    Args:
        scop: for messages.
        statements: all assignments.
        everything: array -> { x[c] } all of it.
        order: in which instances run.

    Raises:
        ExtractionError: an element that data choose is overwritten, not updated, or is read among the updates.
    """
    taken = {s.name for s in scop.statements}
    result = []
    for array in dict.fromkeys(s.target.array for s in statements if s.target.arguments):
        groups = [[s] for s in statements if s.target.array == array and s.target.arguments]
        while groups:
            group = groups.pop(0)
            found = _scatter(scop, group, statements, everything, order, taken)
            if isinstance(found, Scatter):
                result.append(found)
                taken.add(found.step.name)
                continue
            # Updates of one loop that alternate are one step.
            joined = next((g for g in groups if found in g), None)
            if joined is None:
                sentence = (
                    f"{array} is updated at a subscript that depends on data, and read or written otherwise among "
                    "these updates; do that in loops of its own, before or after"
                )
                raise _place(scop, group).refusal("subscript", sentence)
            groups.remove(joined)
            groups.insert(0, [*group, *joined])
    return result


def _place(scop: Scop, group: Sequence[Assignment]) -> SourcePlace:
    """Return the place of the first update of a group."""
    return SourcePlace(scop.path, group[0].line or scop.lines[0])


def _scatter(
    scop: Scop,
    group: Sequence[Assignment],
    statements: Sequence[Assignment],
    everything: Mapping[str, isl.Set],
    order: ExecutionOrder,
    taken: set[str],
) -> Scatter | Assignment:
    """One step for a group of updates, or the statement that stands among them."""
    array, where = group[0].target.array, _place(scop, group)
    found = [(s, u) for s in group if (u := update_of(s)) is not None]
    if len(found) < len(group) or len({u.reduction for _, u in found}) > 1:
        raise where.refusal(
            "subscript",
            f"{array} is overwritten at a subscript that depends on data, so that nobody knows which value "
            f"remains; only updates such as `{array}[p[i]] += e` are supported there, all by one operation",
        )
    if _is_integer(array, scop) and not all(rounds_once(t, s.target, scop.arrays) for s, u in found for t in u.terms):
        raise where.refusal(
            "subscript",
            f"{array} holds integers, and what is added to it at a subscript that depends on data does not; "
            "declare it as an array of double",
        )
    if array not in everything:
        raise where.refusal(
            "subscript",
            f"{array} is updated at a subscript that depends on data, and its extents are not known; "
            "make it a parameter of the function",
        )
    others = _others(array, statements, group, {old for _, u in found for old in (u.old, *u.others)})
    among: list[Assignment] = []
    for outer in range(min(len(s.dims) for s in group)):
        times = [order.of_statement(s.domain).apply_domain(_prefix(s, outer)) for s in group]
        many = times[0]
        for more in times[1:]:
            many = many.union(more)
        first, last = many.lexmin(), many.lexmax()
        among = [other for other in others if _between(order.of_statement(other.domain), first, last)]
        if not among:
            name = unique_name(f"{array}_scatter", taken)
            return _step(name, array, found, everything[array], (first, last), outer, order)
    return among[0] if among else group[0]


def _is_integer(array: str, scop: Scop) -> bool:
    return scop.arrays[array].type not in ("float", "double")


def _others(
    array: str, statements: Sequence[Assignment], group: Sequence[Assignment], own: set[Access]
) -> list[Assignment]:
    """The statements that access an array otherwise than by a group of updates."""
    found = []
    for s in statements:
        tops = [s.value, *s.target.arguments]
        reads = [n for top in tops for n in nodes(top) if isinstance(n, Access) and n.array == array and n not in own]
        if reads or (s.target.array == array and s not in group):
            found.append(s)
    return found


def _prefix(statement: Assignment, outer: int) -> isl.Map:
    """{ S[i] -> [i_0, ..., i_outer-1] }."""
    count = len(statement.dims)
    whole = islx.identity(statement.domain.get_space()).as_map().intersect_domain(statement.domain)
    return whole.project_out(isl.dim_type.out, outer, count - outer).reset_tuple_id(isl.dim_type.out)


def _between(other: isl.Map, first: isl.Map, last: isl.Map) -> bool:
    """Whether an access runs from the first to the last of a step's updates."""
    return not first.lex_le_map(other).intersect(other.lex_le_map(last).reverse()).is_empty()


def _step(
    name: str,
    array: str,
    updates: Sequence[tuple[Assignment, Update]],
    elements: isl.Set,
    times: tuple[isl.Map, isl.Map],
    outer: int,
    order: ExecutionOrder,
) -> Scatter:
    first, last = times
    statement = updates[0][0]
    steps = first.domain()
    rank = elements.dim(isl.dim_type.set)
    elements = elements.align_params(steps.get_space().params())
    steps = steps.align_params(elements.get_space().params())
    domain = steps.flat_product(elements.reset_tuple_id()).set_tuple_name(name)
    dims = (*statement.dims[:outer], *(f"c{k}" for k in range(rank)))
    domain = islx.name_dims(domain, dims)
    whole = islx.identity(domain.get_space()).as_map().intersect_domain(domain)
    element = whole.project_out(isl.dim_type.out, 0, outer).set_tuple_name(isl.dim_type.out, array)
    step = whole.project_out(isl.dim_type.out, outer, rank).reset_tuple_id(isl.dim_type.out)
    index = isl.MultiPwAff.from_pw_multi_aff(isl.PwMultiAff.from_map(element))
    target = Access(array, index, reads=False, writes=True)
    value = Access(array, index, reads=True, writes=False)
    return Scatter(
        Assignment(name, dims, domain, target, value, statement.line),
        step.apply_range(beside(first, -1)),
        step.apply_range(beside(last, 1)),
        islx.union_map(step.apply_range(first).apply_range(order.of_statement(s.domain).reverse()) for s, _ in updates),
        tuple(updates),
        outer,
    )
