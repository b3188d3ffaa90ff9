"""Whether a program means anything, for all sizes in its context: four proofs, one file each.

Each proof speaks of a few statements and arrays under the context. What a program shares with one that was proved, the
very same statements and equal arrays under the same context, is as right as it was there:

bounds        of a statement, where the arrays that it mentions are equal
definitions   of an array, where its writers are the same
reads         of a statement, where the arrays it reads have the same writers
order         of a cycle, where all of its statements are old: they need of each other what they needed before
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

import islpy as isl

from polyad.ir.program import Program
from polyad.semantics.bounds import check_bounds
from polyad.semantics.causality import check_order
from polyad.semantics.definedness import check_output, check_reads, defined_elements
from polyad.semantics.single_assignment import check_definitions

__all__ = ["Proved", "verify"]


@dataclass(frozen=True, slots=True, eq=False)
class Proved:
    """A program that `verify` found well formed.

    Attributes:
        program: all of it.
        incomplete: array name -> { a[index] } its elements with a value, of arrays that have not all of them.
    """

    program: Program
    incomplete: Mapping[str, isl.Set]


def verify(program: Program, proved: Proved | None = None) -> Proved:
    """Prove a program well formed.

    Args:
        program: what to prove.
        proved: another program that was proved; what the two share is not proved again.

    Raises:
        BoundsError: a read or write is outside of its array.
        DefinitionError: an element is defined twice, or needed and never defined.
        CausalityError: an element needs itself.
    """
    context, writers = program.context, program.writers()
    before = proved if proved is not None and _same_sizes(proved.program, program) else None
    known = frozenset(before.program.statements) if before is not None else frozenset()
    equal, settled = _shared(before.program, program) if before is not None else (frozenset(), frozenset())
    for statement in program.statements:
        if statement not in known or not {statement.array, *(r.array for r in statement.reads())} <= equal:
            check_bounds(statement, program.arrays, context)
    for name, array in program.arrays.items():
        if name not in settled:
            check_definitions(array, writers.get(name, ()), context)
    incomplete = {n: d for n, d in before.incomplete.items() if n in settled} if before is not None else {}
    for name, array in program.arrays.items():
        if name in settled:
            continue
        defined = defined_elements(array, writers.get(name, ()), program.params)
        if array.role == "output":
            check_output(array, defined, context)
        elif not array.domain(program.params).intersect_params(context).is_subset(defined):
            incomplete[name] = defined
    for statement in program.statements:
        if statement not in known or not {r.array for r in statement.reads()} <= settled:
            check_reads(statement, incomplete, context)
    check_order(program.statements, program.arrays, context, known)
    return Proved(program, incomplete)


def _same_sizes(one: Program, other: Program) -> bool:
    """Whether both assume the same of the same sizes."""
    return one.params == other.params and bool(one.context.plain_is_equal(other.context))


def _shared(old: Program, new: Program) -> tuple[frozenset[str], frozenset[str]]:
    """The arrays that are declared alike in both programs, and those of them with the same writers."""
    equal = frozenset(n for n, a in new.arrays.items() if old.arrays.get(n) == a)
    before, after = old.writers(), new.writers()
    settled = frozenset(n for n in equal if {*before.get(n, ())} == {*after.get(n, ())})
    return equal, settled
