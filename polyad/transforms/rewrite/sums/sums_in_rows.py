"""Sums over everything as sums of rows, and the sum of those.

    s += f(i, j, k)      ->      rows[i, j] += f(i, j, k);    s += rows[i, j]

What must hold: the domain is a box, so that every row has the same terms; each row that is added up has its identity
first.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace

import islpy as isl

from polyad import islx
from polyad.ir.affine import Affine
from polyad.ir.array import Array
from polyad.ir.expr import Read
from polyad.ir.names import unique_name
from polyad.ir.program import Program
from polyad.ir.statement import Statement
from polyad.transforms.rewrite.identity_definition import identity_definitions

__all__ = ["Rows", "sums_in_rows"]

Rows = tuple[Statement, Sequence[tuple[Affine, Affine]]]
"""A sum, and (low, extent) of its first dimensions, which count rows."""


def sums_in_rows(program: Program, rows_of: Callable[[Statement], Rows | None]) -> Program:
    """Split sums.

    Args:
        program: with explicit identity definitions (transforms.initialise).
        rows_of: the rows of a sum over a box, by other names of its iterations perhaps; None for what stays.
    """
    arrays = dict(program.arrays)
    taken = {s.name for s in program.statements} | arrays.keys()
    statements: list[Statement] = []
    for s in program.statements:
        found = rows_of(s)
        if found is None:
            statements.append(s)
            continue
        whole, ranges = found
        name = unique_name(f"{s.array}_rows", taken)
        taken.add(name)
        arrays[name] = Array(name, tuple(extent for _, extent in ranges), arrays[s.array].dtype)
        split = _split(whole, arrays[name], [low for low, _ in ranges], taken)
        taken.update(new.name for new in split)
        statements += split
    if len(arrays) == len(program.arrays):
        return program
    return replace(program, arrays=arrays, statements=tuple(statements))


def _split(s: Statement, rows: Array, low: Sequence[Affine], taken: set[str]) -> list[Statement]:
    """The sums of rows, their identities, and their sum."""
    assert s.reduction is not None
    params, dims = s.params(), s.dims[: len(rows.shape)]

    def index(statement: str, of: tuple[str, ...]) -> isl.MultiAff:
        space, where = islx.space(params, statement, of), islx.positions(params, of)
        affs = [(Affine.of(d) - start).to_aff(space, where) for d, start in zip(dims, low, strict=True)]
        return islx.multi_aff(space, rows.name, affs)

    inner = replace(s, array=rows.name, write=index(s.name, s.dims))
    name = unique_name(f"{s.array}_rows_sum", taken)
    domain = s.domain.project_out(isl.dim_type.set, len(dims), len(s.dims) - len(dims)).set_tuple_name(name)
    access = index(name, dims)
    write = islx.multi_aff(access.get_domain_space(), s.array, [])
    read = Read(rows.name, access, rows.dtype)
    outer = Statement(name, dims, islx.name_dims(domain, dims), s.array, write, read, s.reduction, s.where)
    elements = inner.write_relation().range()
    zeros = identity_definitions(rows, s.reduction, elements, params, dims, taken | {name})
    return [*zeros, inner, outer]
