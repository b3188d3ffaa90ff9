"""Drop what no output needs: whole statements, then single instances.

What must hold: whatever an instance that stays reads keeps its writer. In a recurrence that includes the instances that
stay only because their domain is not to become less simple.
"""

from __future__ import annotations

import operator
from collections.abc import Sequence
from dataclasses import replace

import islpy as isl

from polyad import islx
from polyad.ir.expr import Access, access_relation
from polyad.ir.program import Program
from polyad.ir.statement import Statement
from polyad.machine import MACHINE, Machine
from polyad.transforms.rewrite.array_graph import ArrayComponent, array_components
from polyad.transforms.rewrite.borders import are_borders
from polyad.transforms.rewrite.identity_definition import restored_identities

__all__ = ["eliminate_dead"]

_MOST_GROWTH = 3
"""How often the needs of one array of a recurrence may grow before the recurrence is kept whole."""


def eliminate_dead(program: Program, machine: Machine = MACHINE) -> Program:
    """Keep the statements and instances that some output element needs.

    Makes smaller: the number of statements and the number of instances. A domain changes only where instances really
    go; recurrences whose needs do not settle after a few turns around the cycle are kept whole.

    Args:
        program: any program.
        machine: says what is no more than a border, and how many pieces a domain may have.
    """
    alive = _alive_statements(program.statements, program.outputs)
    needs = _Needs(program, alive, machine)
    for component in reversed(array_components(program.with_statements(alive))):
        needs.restrict(component)
    kept = [s for s in needs.statements.values() if not _is_empty(s, program.context)]
    kept = [s for s in kept if not _is_unread_constant(s, kept, program)]
    if len(kept) == len(program.statements) and all(map(operator.is_, kept, program.statements)):
        return program
    dropped = {s.array: s.reduction for s in alive if s.reduction is not None}
    kept += restored_identities(program, kept, dropped)
    return program.with_statements(_alive_statements(kept, program.outputs))


def _is_unread_constant(statement: Statement, kept: Sequence[Statement], program: Program) -> bool:
    """Whether a definition needs nothing, and nothing reads its elements or adds to them.

    As the zeros that a border starts from, in a recurrence that is kept whole.
    """
    if statement.reduction is not None or statement.array in program.outputs or next(statement.reads(), None):
        return False
    elements = statement.write_relation().range().intersect_params(program.context)
    for s in kept:
        if s.array == statement.array and s.reduction is not None and _meets(s.write_relation(), elements):
            return False
        if any(r.array == statement.array and _meets(s.read_relation(r), elements) for r in s.reads()):
            return False
    return True


def _meets(access: isl.Map, elements: isl.Set) -> bool:
    return not access.range().is_disjoint(elements)


def _alive_statements(statements: Sequence[Statement], outputs: Sequence[str]) -> list[Statement]:
    """The statements whose array some output needs, through any number of others."""
    sources: dict[str, set[str]] = {}
    for s in statements:
        sources.setdefault(s.array, set()).update(r.array for r in s.reads())
    alive = set(outputs)
    pending = list(outputs)
    while pending:
        new = sources.get(pending.pop(), set()) - alive
        alive |= new
        pending += new
    return [s for s in statements if s.array in alive]


def _is_empty(statement: Statement, context: isl.Set) -> bool:
    # The test without the context is the cheap one, and decides for all but hand-made domains.
    return bool(statement.domain.is_empty() or statement.domain.intersect_params(context).is_empty())


class _Needs:
    """Needed elements per array, found consumers first.

    Attributes:
        statements: statement name -> the statement, its domain restricted once its array has been treated.
    """

    def __init__(self, program: Program, statements: Sequence[Statement], machine: Machine):
        self.machine = machine
        self.context = program.context
        self.outputs = frozenset(program.outputs)
        self.statements = {s.name: s for s in statements}
        self.writers: dict[str, list[str]] = {}
        self.readers: dict[str, list[str]] = {}
        # Restricting a domain changes no read, so they are collected once: statement -> array -> accesses.
        self.reads: dict[str, dict[str, list[Access]]] = {}
        for s in statements:
            self.writers.setdefault(s.array, []).append(s.name)
            accesses = self.reads[s.name] = {}
            for read in s.reads():
                accesses.setdefault(read.array, []).append(read.access)
            for array in accesses:
                self.readers.setdefault(array, []).append(s.name)

    def restrict(self, component: ArrayComponent) -> None:
        """Restrict the statements that write a component whose readers outside of it are final."""
        needed = self.needed_inside(component)
        for array in component.arrays:
            if (elements := needed[array]) is None:
                continue
            for name in self.writers[array]:
                s = self.statements[name]
                domain = self.shrunk(s, elements)
                if domain is not s.domain:
                    self.statements[name] = replace(s, domain=domain)

    def needed_inside(self, component: ArrayComponent) -> dict[str, isl.Set | None]:
        """{ a[e] } per array of a component: what is read of it; None for all that is written."""
        inside = frozenset(component.arrays)
        written = {a: self.written(a) for a in component.arrays}
        needed: dict[str, isl.Set | None] = {}
        for array in component.arrays:
            if array in self.outputs:
                needed[array] = None
                continue
            elements: isl.Set | None = isl.Set.empty(written[array].get_space())
            for name in self.readers.get(array, ()):
                if self.statements[name].array not in inside:
                    elements = self.grown(elements, written[array], self.statements[name])
                if elements is None:
                    break
            needed[array] = elements
        if component.recurrent:
            return self.settled(needed, written)
        return {
            a: None if _barely_less(elements, written[a], self.machine.border) else elements
            for a, elements in needed.items()
        }

    def settled(self, needed: dict[str, isl.Set | None], written: dict[str, isl.Set]) -> dict[str, isl.Set | None]:
        """Follow the needs of a recurrence around its cycle until they no longer grow, or give up: all None."""
        growth = dict.fromkeys(needed, 0)
        pending = list(needed)
        while pending:
            array = pending.pop(0)
            for name in self.writers[array]:
                s, elements = self.statements[name], needed[array]
                if elements is not None:
                    s = replace(s, domain=self.shrunk(s, elements))  # not less, where a smaller one is not simple
                for source in self.reads[name]:
                    before = needed.get(source)
                    if before is None:
                        continue
                    after = needed[source] = self.grown(before, written[source], s)
                    if after is not before:
                        growth[source] += 1
                        if source not in pending:
                            pending.append(source)
                    if growth[source] > _MOST_GROWTH:
                        return dict.fromkeys(needed)
            if not pending:
                # Keeping a border needs what the border reads.
                pending = [
                    a for a, elements in needed.items() if _barely_less(elements, written[a], self.machine.border)
                ]
                needed.update(dict.fromkeys(pending))
        return needed

    def written(self, array: str) -> isl.Set:
        """{ a[e] } all elements that some statement writes."""
        images = [_image(self.statements[n].domain, self.statements[n].write) for n in self.writers[array]]
        result = images[0]
        for image in images[1:]:
            result = result.union(image)
        return result.intersect_params(self.context)

    def grown(self, needed: isl.Set | None, written: isl.Set, reader: Statement) -> isl.Set | None:
        """The needed elements of the array of `written`, with what one reader reads; the same object if no more."""
        for access in self.reads[reader.name][written.get_tuple_name()]:
            if needed is None:
                return None
            image = _image(reader.domain, access)
            if written.is_subset(image):
                return None
            if not image.is_subset(needed):
                needed = needed.union(image).coalesce()
                if written.is_subset(needed):
                    return None
        return needed

    def shrunk(self, statement: Statement, elements: isl.Set) -> isl.Set:
        """The instances that write a needed element; the old domain where none goes or the rest is not simple."""
        domain = statement.domain
        instances = _instances(statement, elements)
        if domain.intersect_params(self.context).is_subset(instances):
            return domain
        restricted = domain.intersect(instances).coalesce().remove_redundancies()
        if restricted.n_basic_set() > max(self.machine.pieces, domain.n_basic_set()) or _divisions(
            restricted
        ) > _divisions(domain):
            return domain
        return islx.name_dims(restricted, statement.dims)


def _barely_less(needed: isl.Set | None, written: isl.Set, border: int) -> bool:
    """Whether leaving out what nobody reads would cut domains into pieces to save no more than borders."""
    if needed is None or needed.n_basic_set() <= written.coalesce().n_basic_set():
        return False
    return are_borders(written.subtract(needed), written, border)


def _image(domain: isl.Set, access: Access) -> isl.Set:
    """{ a[access(s)] : s in domain }."""
    return domain.apply(access_relation(access))


def _instances(statement: Statement, elements: isl.Set) -> isl.Set:
    """{ S[i] : the instance may write one of the elements }, not restricted to the domain."""
    if isinstance(statement.write, isl.MultiAff):
        return elements.preimage_multi_aff(statement.write)
    return elements.apply(access_relation(statement.write).reverse())


def _divisions(domain: isl.Set) -> int:
    return sum(piece.dim(isl.dim_type.div) for piece in islx.basic_sets(domain))
