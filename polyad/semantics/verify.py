"""Whether a program means anything, for all sizes in its context: four proofs, one file each."""

from __future__ import annotations

from polyad.ir.program import Program
from polyad.semantics.bounds import check_bounds
from polyad.semantics.causality import check_order
from polyad.semantics.definedness import check_output, check_reads, defined_elements
from polyad.semantics.single_assignment import check_definitions

__all__ = ["verify"]


def verify(program: Program) -> None:
    """Prove a program well formed.

    Raises:
        BoundsError: a read or write is outside of its array.
        DefinitionError: an element is defined twice, or needed and never defined.
        CausalityError: an element needs itself.
    """
    context, writers = program.context, program.writers()
    for statement in program.statements:
        check_bounds(statement, program.arrays, context)
    for name, array in program.arrays.items():
        check_definitions(array, writers.get(name, ()), context)
    incomplete = {}
    for name, array in program.arrays.items():
        defined = defined_elements(array, writers.get(name, ()), program.params)
        if array.role == "output":
            check_output(array, defined, context)
        elif not array.domain(program.params).intersect_params(context).is_subset(defined):
            incomplete[name] = defined
    for statement in program.statements:
        check_reads(statement, incomplete, context)
    check_order(program.statements, program.arrays, context)
