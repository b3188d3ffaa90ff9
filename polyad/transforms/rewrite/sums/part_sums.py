"""Sums over a dimension that is run in parts: each part has sums of its own, which are added in order at the end.

    s[k] += f(y[p, n, k])      ->      s_parts[p, k] += f(y[p, n, k]);    s[k] += s_parts[p, k]

No two parts contribute to one element, so the loop over parts may be parallel. Their number is that of the program, so
results are the same for any number of threads.

What must hold: every part that is added up has its zero first, also where nothing contributes to it.
"""

from __future__ import annotations

from collections.abc import Collection, Sequence
from dataclasses import replace

import islpy as isl

from polyad import islx
from polyad.ir.affine import Affine
from polyad.ir.array import Array, element_dims
from polyad.ir.expr import Read
from polyad.ir.names import unique_name
from polyad.ir.program import Program
from polyad.ir.statement import Statement
from polyad.transforms.rewrite.identity_definition import identity_definitions

__all__ = ["part_sums"]


def part_sums(program: Program, sums: Collection[str], parts: int) -> Program:
    """Give each part sums of its own.

    Makes larger: memory, by `parts` times that of the sums.

    Args:
        program: with explicit identity definitions (transforms.initialise).
        sums: statements with a reduction and an affine write, whose first dimension counts parts.
        parts: how many there are.
    """
    arrays = dict(program.arrays)
    taken = {s.name for s in program.statements} | arrays.keys()
    statements = list(program.statements)
    for array in dict.fromkeys(s.array for s in program.statements if s.name in sums):
        name = unique_name(f"{array}_parts", taken)
        own = Array(name, (Affine.of(parts), *arrays[array].shape), arrays[array].dtype)
        arrays[name] = own
        taken.add(name)
        places = [i for i, s in enumerate(statements) if s.array == array and s.name in sums]
        for i in places:
            statements[i] = _of_its_part(statements[i], own)
        zeros = _zeros(program, own, [statements[i] for i in places], taken)
        taken |= {s.name for s in zeros}
        totals = []
        for zero in zeros:
            totals.append(_total(zero, array, statements[places[0]], taken))
            taken.add(totals[-1].name)
        statements[places[-1] + 1 : places[-1] + 1] = totals
        statements[places[0] : places[0]] = zeros
    return replace(program, arrays=arrays, statements=tuple(statements))


def _of_its_part(s: Statement, own: Array) -> Statement:
    """The statement contributing to own[p, e] in its part p, where it contributed to element e."""
    assert isinstance(s.write, isl.MultiAff)
    part = isl.Aff.var_on_domain(isl.LocalSpace.from_space(s.space()), isl.dim_type.set, 0)
    index = [s.write.get_aff(i) for i in range(s.write.dim(isl.dim_type.out))]
    return replace(s, array=own.name, write=islx.multi_aff(s.space(), own.name, [part, *index]))


def _zeros(program: Program, own: Array, sums: Sequence[Statement], taken: set[str]) -> list[Statement]:
    """Return the equations that parts begin with: own[p, e] = 0 for all p and all e that some part contributes to."""
    assert sums[0].reduction is not None
    elements = sums[0].write_relation().range()
    for s in sums[1:]:
        elements = elements.union(s.write_relation().range())
    every = elements.project_out(isl.dim_type.set, 0, 1).insert_dims(isl.dim_type.set, 0, 1).set_tuple_name(own.name)
    every = every.intersect(own.domain(program.params)).coalesce()
    dims = (unique_name("p", program.params), *element_dims(len(own.shape) - 1, program.params))
    return identity_definitions(own, sums[0].reduction, every, program.params, dims, taken)


def _total(zero: Statement, array: str, contribution: Statement, taken: set[str]) -> Statement:
    """array[e] += own[p, e], wherever own[p, e] = 0 at the beginning."""
    name = unique_name(f"{zero.array}_sum", taken)
    domain = islx.name_dims(zero.domain.set_tuple_name(name), zero.dims)
    space = domain.get_space()
    local = isl.LocalSpace.from_space(space)
    index = [isl.Aff.var_on_domain(local, isl.dim_type.set, i) for i in range(len(zero.dims))]
    read = Read(zero.array, islx.multi_aff(space, zero.array, index), zero.body.dtype)
    write = islx.multi_aff(space, array, index[1:])
    return Statement(name, zero.dims, domain, array, write, read, contribution.reduction, contribution.where)
