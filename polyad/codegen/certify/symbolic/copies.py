"""Copies that never run, since what they copy lies where the copy is.

An element without contributions is the one that it is a copy of. One with contributions begins with what it is a copy
of: who adds to it first finds that, all of it.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import islpy as isl

from polyad import islx
from polyad.codegen.certify.symbolic.events import Event, NotModelledError
from polyad.codegen.certify.symbolic.recorder import Recorder
from polyad.codegen.loops.isl_words import isl_affine
from polyad.codegen.loops.statement_accesses import Touch
from polyad.ir.affine import Affine
from polyad.ir.expr import Read

__all__ = ["Copied", "copied"]


@dataclass(frozen=True, slots=True, eq=False)
class Copied:
    """The elements that copies stand for.

    Attributes:
        origins: { element without contributions -> the one that it is a copy of }, which is none of these.
        begins: { element with contributions -> what it begins with }.
    """

    origins: isl.UnionMap
    begins: isl.UnionMap

    def original(self, found: isl.UnionMap) -> isl.UnionMap:
        """{ ... -> element } with the elements that these are copies of."""
        own = self.origins.domain()
        return found.subtract_range(own).union(found.intersect_range(own).apply_range(self.origins))


def copied(recorder: Recorder, events: Sequence[Event]) -> Copied | None:
    """Copies that never run; None where there are none.

    Raises:
        NotModelledError: they do not lie in one place.
    """
    plan = recorder.plan
    found = isl.UnionMap("{ }")
    for name in sorted(plan.storage.gone):
        statement = plan.program.statement(name)
        if not isinstance(statement.body, Read) or statement.reduction is not None:
            raise NotModelledError(f"{name} is no copy, and never runs")
        write, read, *_ = plan.known.touches[name]
        domain = statement.domain.intersect_params(plan.program.context)
        cells, elements = zip(*(_where(recorder, t, domain) for t in (write, read)), strict=True)
        spaces = {c.get_tuple_name(isl.dim_type.out) for c in cells}
        if len(spaces) > 1 or not cells[0].is_equal(cells[1]):
            raise NotModelledError(f"what {name} copies does not lie where its copy is")
        found = found.union(isl.UnionMap.from_map(elements[0].reverse().apply_range(elements[1])))
    if found.is_empty():
        return None
    added = islx.union_map(e.element for e in events if e.kind == "contribute").range()
    origins, begins = found.subtract_domain(added), found.intersect_domain(added)
    result = Copied(_first_originals(origins), begins)
    return Copied(result.origins, result.original(begins))


def _first_originals(copies: isl.UnionMap) -> isl.UnionMap:
    """{ copy -> what is copied first }: borders of a stencil are copied from step to step.

    Raises:
        NotModelledError: isl has no exact transitive closure of them.
    """
    if copies.intersect_range(copies.domain()).is_empty():
        return copies
    chains, is_exact = copies.coalesce().transitive_closure()
    if not is_exact:
        raise NotModelledError("there are copies of copies of copies")
    return chains.subtract_range(copies.domain())


def _where(recorder: Recorder, touch: Touch, domain: isl.Set) -> tuple[isl.Map, isl.Map]:
    """{ S[dims] -> cell } and { S[dims] -> element }."""
    index = [i for i in touch.index if i is not None]
    if len(index) < len(touch.index):
        raise NotModelledError("data choose an element of a copy")
    place, name = recorder.cells.place(touch.array), touch.statement.name
    cell, element = (
        recorder.map(touch.statement.dims, name, target, [isl_affine(Affine.of(i)) for i in values])
        for target, values in ((place.space, place.index(index)), (recorder.arrays[touch.array], index))
    )
    return cell.intersect_domain(domain), element.intersect_domain(domain)
