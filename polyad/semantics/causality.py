"""Proof 4: an order of execution exists, so no element needs itself.

Statements need each other where one reads what the other writes; only strongly connected ones can fail. For those an
order is looked for by lexicographic ranking (`ranking.py`). Where that ends, isl's scheduler is asked and its answer
checked. Without an order, a cycle is spelled out at small sizes.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping, Sequence

import islpy as isl

from polyad.errors import CausalityError
from polyad.ir.array import Array
from polyad.ir.expr import Indirect, access_relation
from polyad.ir.statement import Statement
from polyad.isl_scheduler import has_order
from polyad.semantics.counterexample import Counterexample, smallest_cycle
from polyad.semantics.cycles import cyclic_components
from polyad.semantics.ranking import Need, rank

__all__ = ["Need", "check_order", "needs"]


def check_order(
    statements: Sequence[Statement],
    arrays: Mapping[str, Array],
    context: isl.Set,
    ordered: Collection[Statement] = frozenset(),
) -> None:
    """Prove that an order of execution exists.

    Args:
        statements: all statements that could take part in a cycle.
        arrays: array name -> Array, at least those that the statements mention.
        context: [params] -> { : ... }, what is assumed of the sizes.
        ordered: statements that are known to have an order, among them.

    Raises:
        CausalityError: an element needs itself, or no order could be proved; carries the cycle and the sizes.
    """
    for component in cyclic_components(statements, _named_needs(statements)):
        if all(s in ordered for s in component):
            continue
        for entangled, left in rank(component, needs(component, context)):
            if not _scheduled(entangled, left, context):
                raise _error(entangled, smallest_cycle(entangled, arrays, context))


def _named_needs(statements: Sequence[Statement]) -> Iterable[tuple[Statement, Statement]]:
    """(later, earlier) by array names alone."""
    writers: dict[str, list[Statement]] = {}
    for s in statements:
        writers.setdefault(s.array, []).append(s)
    for s in statements:
        for array in dict.fromkeys(r.array for r in s.reads()):
            for writer in writers.get(array, ()):
                yield s, writer
        if s.reduction is not None:
            for writer in writers[s.array]:
                if writer.reduction is None:
                    yield s, writer


def needs(statements: Sequence[Statement], context: isl.Set) -> list[Need]:
    """The needs among some statements: reader -> every writer of the element, contribution -> definition."""
    writes = {s: access_relation(s.write).intersect_domain(s.domain.intersect_params(context)) for s in statements}
    found: list[Need] = []

    def add(later: Statement, access: isl.Map, earlier: Statement) -> None:
        relation = access.apply_range(writes[earlier].reverse())
        if not relation.is_empty():
            found.append(Need(later, earlier, relation))

    for later in statements:
        for read in later.reads():
            access = later.read_relation(read).intersect_params(context)
            for earlier in statements:
                if earlier.array == read.array:
                    add(later, access, earlier)
        if later.reduction is not None:
            for earlier in statements:
                if earlier.array == later.array and earlier.reduction is None:
                    add(later, writes[later], earlier)
    return found


def _scheduled(component: Sequence[Statement], own: Sequence[Need], context: isl.Set) -> bool:
    """Whether isl finds a schedule that puts every need among these statements strictly in order."""
    domains = {s.name: s.domain.intersect_params(context) for s in component}
    return has_order(domains, [(n.earlier.name, n.later.name, n.relation.reverse()) for n in own], context)


def _error(component: Sequence[Statement], example: Counterexample | None) -> CausalityError:
    who = ", ".join(f"{s.name} ({s.where})" if s.where else s.name for s in component)
    own = {s.array for s in component}
    delayed = (r.array for s in component for r in s.reads() if r.array in own and isinstance(r.access, Indirect))
    chosen = next(delayed, "")
    cure = "a recurrence may read only what is computed before: check the index offsets and the base cases"
    if chosen:
        cure = (
            f"where data choose which of the last D steps of {chosen} is read, write a pa.scan with these D as an "
            "array in its carry: its elements may be chosen by data"
        )
    if example is None:
        cure += "" if chosen else ", or state what is assumed of the sizes"
        return CausalityError(
            f"no order of execution could be proved for {who}, and none of the small sizes that were tried shows a "
            f"cycle; {cure}"
        )
    path = " needs ".join([*example.elements, example.elements[0]])
    doubt = "" if example.certain else ", as a data-dependent index may reach any element"
    return CausalityError(
        f"no order of execution exists for {who}: {path}{example.at}{doubt}; {cure}", example.elements, example.sizes
    )
