"""The order of the C text as a schedule of the equations.

Each equation runs with the instances of the statement that it was made from: at one instance first what a reduction
starts from, then its terms. What a scatter starts from runs before its first update, and what arrays are left with is
computed at the end.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace

import islpy as isl

from polyad import islx
from polyad.ir.program import Program
from polyad.ir.statement import Statement
from polyad.pet.dataflow.scatters import Scatter
from polyad.schedule.schedule import Schedule
from polyad.schedule.tree.nodes import Band, Leaf, Mark, Node, Order, from_isl, to_isl

__all__ = ["EquationTime", "c_order"]


@dataclass(frozen=True, slots=True)
class EquationTime:
    """When an equation runs.

    Attributes:
        statement: the statement of C with whose instances it runs; "" before all, or after.
        place: among the equations of that instance; negative for what runs before all.
    """

    statement: str
    place: int


def c_order(
    program: Program, schedule: isl.Schedule, moments: Mapping[str, EquationTime], scatters: Sequence[Scatter]
) -> Schedule:
    """The order of the C text.

    Args:
        program: the equations.
        schedule: { S[i] } the order of the assignments.
        moments: equation -> when it runs.
        scatters: steps, which run before the first of their updates.
    """
    steps = {s.step.name: s for s in scatters}
    inside = {s.name: s for s in program.statements if moments[s.name].statement}
    outside = [s for s in program.statements if s.name not in inside]
    parts = [(isl.UnionSet.from_set(s.domain), _loops(s, 0)) for s in outside if moments[s.name].place < 0]
    if inside:
        instances = isl.UnionPwMultiAff.empty(program.context.get_space())
        for s in inside.values():
            instances = instances.union_add(isl.UnionPwMultiAff.from_union_map(_instance(s, moments[s.name], steps)))
        domain = islx.union_set((s.domain for s in inside.values()), program.context.get_space())
        pulled = schedule.pullback_union_pw_multi_aff(instances)
        # The step of a scatter runs over all elements, the updates follow.
        place = {n: (moments[n].statement not in steps, moments[n].place) for n in inside}
        own = {n: steps[moments[n].statement].outer for n in inside if moments[n].statement in steps}
        parts.append((domain, _Tree(inside, place, own).within(from_isl(pulled.get_root().child(0)), domain)))
    parts += [(isl.UnionSet.from_set(s.domain), _loops(s, 0)) for s in outside if moments[s.name].place >= 0]
    return Schedule(to_isl(program.domain(), parts[0][1] if len(parts) == 1 else Order(tuple(parts))))


def _instance(statement: Statement, moment: EquationTime, steps: Mapping[str, Scatter]) -> isl.UnionMap:
    """{ equation[i] -> S[i] }: the instance of C with which it runs."""
    same = islx.identity(statement.space()).as_map().intersect_domain(statement.domain)
    same = same.set_tuple_name(isl.dim_type.out, moment.statement)
    own = isl.UnionMap.from_map(same)
    return own.apply_range(steps[moment.statement].first) if moment.statement in steps else own


@dataclass(frozen=True, slots=True, eq=False)
class _Tree:
    """The tree of the C text with the equations of each instance put in order.

    Attributes:
        statements: the equations, by name.
        places: equation -> its place among those of one instance.
        own: equation -> how many iterators tell instances of C apart, where it has more instances than that.
    """

    statements: Mapping[str, Statement]
    places: Mapping[str, tuple[bool, int]]
    own: Mapping[str, int]

    def within(self, node: Node, domain: isl.UnionSet) -> Node:
        """The subtree for the equations that run there."""
        match node:
            case Band(child=child):
                partial = node.partial.intersect_domain(domain)
                return replace(node, partial=partial, child=self.within(child, domain))
            case Mark(child=child):
                return replace(node, child=self.within(child, domain))
            case Order(children, ordered):
                found = [(domain.intersect(part), child) for part, child in children]
                kept = [(part, self.within(child, part)) for part, child in found if not part.is_empty()]
                return kept[0][1] if len(kept) == 1 else Order(tuple(kept), ordered)
            case _:
                return self.leaf(domain)

    def leaf(self, domain: isl.UnionSet) -> Node:
        """The equations of one instance, one after the other."""
        sets = {s.get_tuple_name() or "": s for s in islx.sets(domain)}
        names = sorted(sets, key=lambda n: self.places[n])
        nodes = [_loops(self.statements[n], self.own[n]) if n in self.own else Leaf() for n in names]
        if len(names) == 1:
            return nodes[0]
        return Order(tuple((isl.UnionSet.from_set(sets[n]), node) for n, node in zip(names, nodes, strict=True)))


def _loops(statement: Statement, outer: int) -> Node:
    """Loops over the dimensions of a statement from one on."""
    node: Node = Leaf()
    domain = isl.UnionSet.from_set(statement.domain)
    for i in reversed(range(outer, len(statement.dims))):
        local = isl.LocalSpace.from_space(statement.space())
        row = isl.PwAff.from_aff(isl.Aff.var_on_domain(local, isl.dim_type.set, i))
        partial = isl.MultiUnionPwAff.from_union_pw_aff(isl.UnionPwAff.from_pw_aff(row)).intersect_domain(domain)
        node = Band(partial, (False,), False, None, node)
    return node
