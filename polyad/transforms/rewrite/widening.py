"""Contributions over more instances than they had, to get a simpler domain: what has to be proved first.

A sum s[i] += a[f(i, k)] * b[g(i, k)] over a domain D may run over a larger W where the instances in W without D change
nothing. For each of them, all of this must hold, and is proved here for all sizes of the context:

- its indices are whole numbers: (i - k) / 2 is one for every second instance, and the condition that picks those is
  part of D, not of W;
- what it adds to has a value, and nothing that the sum reads is computed from it: else there would be a new cycle;
- what it multiplies has a value: 0 times memory that nobody wrote is anything.

That the product is zero is proved by the pass that asks: it provides the zeros of one operand (pad_operands.py,
stairs.py), in places that nothing else writes.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

import islpy as isl

from polyad.ir.array import Array
from polyad.ir.expr import Access, Indirect, Read, access_relation
from polyad.ir.program import Program
from polyad.ir.statement import Statement
from polyad.transforms.rewrite.array_graph import array_sources

__all__ = ["Values", "Widening", "is_whole"]


@dataclass(frozen=True, slots=True, eq=False)
class Widening:
    """A contribution and the instances that it is to get.

    Attributes:
        statement: as it is.
        domain: { S[i] } all instances, W.
        more: { S[i] } those that are new, W without D.
    """

    statement: Statement
    domain: isl.Set
    more: isl.Set

    def touches(self, read: Read) -> isl.Set:
        """{ a[e] }: what the new instances read."""
        return self.more.apply(access_relation(read.access))

    def writes(self) -> isl.Set:
        """{ c[e] }: what the new instances add to."""
        return self.more.apply(access_relation(self.statement.write))


class Values:
    """The elements of a program that have a value, and what may therefore be widened."""

    def __init__(self, program: Program) -> None:
        """Collect what is written.

        Args:
            program: with explicit identity definitions (transforms.initialise): what is contributed to is written.
        """
        self.program = program
        self.zeros: dict[str, isl.Set] = {}  # array -> { array[e] } to which the pass that asks gives zeros
        self.sources: Mapping[str, tuple[str, ...]] = array_sources(program)
        self.written: dict[str, isl.Set] = {}  # array -> { array[e] } that some statement writes
        for s in program.statements:
            elements = s.write_relation().intersect_params(program.context).range()
            self.written[s.array] = self.written[s.array].union(elements) if s.array in self.written else elements

    def has(self, array: str, elements: isl.Set) -> bool:
        """Whether all of some elements have a value: those of inputs do."""
        known = self.of(self.program.arrays[array])
        known = known.union(self.zeros[array]) if array in self.zeros else known
        return bool(elements.intersect_params(self.program.context).is_subset(known))

    def of(self, array: Array) -> isl.Set:
        """{ array[e] } that have a value: all of an input."""
        whole = array.domain(self.program.params)
        if array.name in self.program.inputs:
            return whole
        written = self.written.get(array.name, isl.Set.empty(whole.get_space()))
        return whole if whole.intersect_params(self.program.context).is_subset(written) else written.coalesce()

    def proves(self, widening: Widening, given: Access) -> bool:
        """Whether a contribution may run over more instances, if what one access touches has a value and they add zero.

        Args:
            widening: the contribution.
            given: the access of which the caller proves it: the operand that is zero, or the write.
        """
        s = widening.statement
        accesses = s.accesses()
        if any(isinstance(a, Indirect) or not is_whole(a, widening.domain) for _, a in accesses):
            return False
        if s.array in self.needed(s):
            return False
        return all(a is given or self.has(array, widening.more.apply(access_relation(a))) for array, a in accesses)

    def needed(self, statement: Statement) -> set[str]:
        """The arrays from which a statement's operands are computed, they among them."""
        seen: set[str] = set()
        waiting = [r.array for r in statement.reads()]
        while waiting:
            array = waiting.pop()
            if array not in seen:
                seen.add(array)
                waiting += self.sources.get(array, ())
        return seen


def is_whole(access: isl.MultiAff, domain: isl.Set) -> bool:
    """Whether all indices are whole numbers on a domain: (i - k) / 2 is one where i - k is even."""
    return bool(domain.is_subset(access.as_map().domain()))
