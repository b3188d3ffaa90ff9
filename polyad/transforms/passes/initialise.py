"""Explicit identities: after this, every element that is contributed to or read has a definition.

What must hold: every element that is read or returned has exactly one definition, and a contribution that becomes one
reaches its elements once, where nothing else defines them.
"""

from __future__ import annotations

from dataclasses import replace

import islpy as isl

from polyad.ir.program import Program
from polyad.ir.statement import Statement
from polyad.transforms.rewrite.array_graph import array_components
from polyad.transforms.rewrite.identity_definition import identity_definitions
from polyad.transforms.rewrite.inverse_access import index_names, is_injective

__all__ = ["initialise"]


def initialise(program: Program) -> Program:
    """Define what contributions start from.

    A contribution that reaches each of its elements once, where nothing else defines them, becomes their definition:
    no zero is written first. What is still undefined gets `<array>_init`, the identity on exactly those elements
    (`<array>_init_1`, ... where they are no single basic set).
    """
    recurrent = {a for c in array_components(program) if c.recurrent for a in c.arrays}
    taken = {s.name for s in program.statements}
    definitions: dict[str, Statement] = {}
    added: dict[str, list[Statement]] = {}
    reads: dict[str, list[isl.Map]] = {}  # array -> { S[i] -> array[e] } of each read
    for s in program.statements:
        for r in s.reads():
            reads.setdefault(r.array, []).append(s.read_relation(r))
    for name, writers in program.writers().items():
        if all(s.reduction is None for s in writers):
            continue
        undefined = _needed(program, name, writers, reads.get(name, []))
        for s in writers:
            if s.reduction is None:
                undefined = undefined.subtract(s.write_relation().range())
        for s in _candidates(writers, recurrent):
            image = s.write_relation().range().intersect_params(program.context)
            if not undefined.is_empty() and image.is_subset(undefined):
                definitions[s.name] = replace(s, reduction=None)
                undefined = undefined.subtract(image)
        undefined = undefined.coalesce()
        if undefined.is_empty():
            continue
        array = program.arrays[name]
        reduction = next(s.reduction for s in writers if s.reduction is not None)
        first = next(s for s in writers if s.reduction is not None)
        dims = index_names(first.write, first.dims, len(array.shape), program.params)
        undefined = undefined.gist_params(program.context).remove_redundancies()
        new = identity_definitions(array, reduction, undefined, program.params, dims, taken)
        taken.update(s.name for s in new)
        added[first.name] = new
    if not definitions and not added:
        return program
    # The identities stand before the first contribution to their array.
    return program.with_statements(
        new for s in program.statements for new in (*added.get(s.name, ()), definitions.get(s.name, s))
    )


def _needed(program: Program, name: str, writers: list[Statement], reads: list[isl.Map]) -> isl.Set:
    """{ z[e] } the elements of an array that are contributed to, read, or returned."""
    if name in program.outputs:
        return program.arrays[name].domain(program.params).intersect_params(program.context)
    relations = [s.write_relation() for s in writers if s.reduction is not None] + reads
    result = relations[0].range()
    for relation in relations[1:]:
        image = relation.range()
        if not image.is_subset(result):
            result = result.union(image)
    return result.intersect_params(program.context).coalesce()


def _candidates(writers: list[Statement], recurrent: set[str]) -> list[Statement]:
    """The contributions that could be definitions, the preferred first.

    One that stands outside of the recurrence its array is in can be computed for all time steps at once beforehand; a
    definition inside would make it wait.
    """
    contributions = [s for s in writers if s.reduction is not None and is_injective(s.write, s.domain)]
    return sorted(contributions, key=lambda s: any(r.array in recurrent for r in s.reads()))
