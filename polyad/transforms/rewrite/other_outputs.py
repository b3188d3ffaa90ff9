"""The same equations with other arrays as outputs, to look at what they hold.

What must hold: an output is defined everywhere. What of a temporary nobody reads may have no definition: it becomes 0.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from polyad.ir.program import Program
from polyad.transforms.passes.eliminate_dead import eliminate_dead
from polyad.transforms.rewrite.identity_definition import identity_definitions

__all__ = ["other_outputs"]


def other_outputs(program: Program, outputs: Sequence[str]) -> Program:
    """The program that computes these arrays, and nothing that they do not need.

    Args:
        program: any program.
        outputs: names of arrays that it computes.
    """
    arrays = {
        name: a.with_role("input" if a.role == "input" else "output" if name in outputs else "temporary")
        for name, a in program.arrays.items()
    }
    result = eliminate_dead(replace(program, arrays=arrays, outputs=tuple(outputs), scans=(), in_place={}))
    writers, statements = result.writers(), list(result.statements)
    for name in outputs:
        absent = arrays[name].domain(program.params).intersect_params(program.context)
        for s in writers[name]:
            absent = absent.subtract(s.write_relation().range())
        if not absent.is_empty() and all(s.reduction is None for s in writers[name]):
            dims = arrays[name].dims(program.params)
            taken = {s.name for s in statements}
            statements += identity_definitions(arrays[name], "sum", absent, program.params, dims, taken)
    return result.with_statements(statements)
