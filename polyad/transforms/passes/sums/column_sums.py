"""Sums along columns, which stay in memory, are made of sums over few rows: float32 for those, double for all.

    s[j] += f(k, j)      ->      rows[b, j] += f(k, j)  for 32 b <= k < 32 b + 32
                                 wide[j]    += rows[b, j]
                                 s[j]       += wide[j]

Where no read of a matrix is contiguous along a sum, it is added up row by row, one sum for each column, and none of
them is a C variable in which double could stand (codegen/lower/subtotals.py): that one number meets as many roundings
as there are rows. Here it meets 32, and one at the end, whatever their number is. Sums in double are twice as long, and
are touched once for every 32 rows; rows of elements in float32 are added up in vectors that are as long as before. Of a
sum over several dimensions, those around the one that counts rows are indices of `rows`, too.

What must hold: elements are those of a box along the rows, each sum that is added up has its zero first.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

import islpy as isl

from polyad import islx
from polyad.analysis.contraction import matrix_product_of
from polyad.analysis.plain_axes import plain_axes, separable, used_dims
from polyad.ir.affine import Affine
from polyad.ir.array import SEGMENTS, Array, element_dims
from polyad.ir.expr import Expr, Read
from polyad.ir.names import unique_name
from polyad.ir.program import Program
from polyad.ir.statement import Statement
from polyad.machine import MACHINE, Machine
from polyad.ops import cast
from polyad.transforms.rewrite.array_graph import array_components
from polyad.transforms.rewrite.extents import dimension_range
from polyad.transforms.rewrite.identity_definition import identity_definitions

__all__ = ["column_sums"]


def column_sums(program: Program, machine: Machine = MACHINE) -> Program:
    """Split sums of float32 along columns.

    Makes larger: memory, by three numbers for each sum, and where a row is short, by one for each column and 32 rows.

    Args:
        program: with explicit identity definitions (transforms.initialise).
        machine: says how many numbers are added up in float32; sums of a longer row than it keeps in registers are kept
            for one block of rows at a time.
    """
    recurrent = {a for c in array_components(program) if c.recurrent for a in c.arrays}
    arrays = dict(program.arrays)
    taken = {s.name for s in program.statements} | arrays.keys()
    statements: list[Statement] = []
    for s in program.statements:
        found = None if s.array in recurrent else _rows(program, s, machine.block_rows)
        statements += [s] if found is None else _split(program, s, *found, arrays, taken, machine)
    return (
        program if len(arrays) == len(program.arrays) else replace(program, arrays=arrays, statements=tuple(statements))
    )


def _rows(program: Program, s: Statement, few: int) -> tuple[int, Affine, dict[int, Affine]] | None:
    """(which dimension counts rows, how many there are, summed dimensions around it and their extents), if any."""
    if s.reduction != "sum" or program.arrays[s.array].dtype != "float32" or s.domain.n_basic_set() != 1:
        return None
    accesses = [r.access for r in s.reads() if isinstance(r.access, isl.MultiAff)]
    if not isinstance(s.write, isl.MultiAff) or len(accesses) < len([*s.reads()]):
        return None
    if matrix_product_of(s) is not None:
        return None
    columns = used_dims(s.write)
    summed = [d for d in range(len(s.dims)) if d not in columns]
    across, *last = (_last_axis(a, len(s.dims)) for a in (s.write, *accesses))
    if across not in columns or across not in last:
        return None
    if any(along in summed and used_dims(a) & columns for along, a in zip(last, accesses, strict=True)):
        return None
    apart = separable(s)
    ranges = {d: dimension_range(s, d, program.arrays, program.context) for d in summed if d in apart}
    counts = {d: found[1] for d, found in ranges.items() if found is not None and found[0] == Affine()}
    for d, count in reversed(counts.items()):
        if not (count.is_constant and count.constant <= few):
            return d, count, {outer: n for outer, n in counts.items() if outer < d}
    return None


def _last_axis(access: isl.MultiAff, dims: int) -> int | None:
    """The dimension that is the last index of an access."""
    last = access.dim(isl.dim_type.out) - 1
    return next((d for d, axis in enumerate(plain_axes(access, dims)) if axis == last >= 0), None)


def _split(
    program: Program,
    s: Statement,
    row: int,
    count: Affine,
    around: dict[int, Affine],
    arrays: dict[str, Array],
    taken: set[str],
    machine: Machine,
) -> Sequence[Statement]:
    """The sums over a few rows, their sum in double, that sum; and what the first two begin with."""
    assert isinstance(s.write, isl.MultiAff)
    whole, params = arrays[s.array], s.params()
    few = machine.block_rows
    blocks = (count + (few - 1)) // few

    def fresh(hint: str) -> str:
        name = unique_name(hint, taken)
        taken.add(name)
        return name

    last = whole.shape[-1]
    segment = None if last.is_constant and last.constant <= machine.row[1] else SEGMENTS["blocked"]
    rows = Array(fresh(f"{s.array}_rows"), (blocks, *around.values(), *whole.shape), "float32", segment=segment)
    wide = Array(fresh(f"{s.array}_wide"), whole.shape, machine.wide)
    arrays |= {rows.name: rows, wide.name: wide}

    # Sums over the rows of a block: S[b, ..., k, ...] for S[..., k, ...].
    dims = (unique_name("b", {*s.dims, *params}), *s.dims)
    space, where = islx.space(params, s.name, dims), islx.positions(params, dims)
    change = islx.multi_aff(space, s.name, [Affine.of(d).to_aff(space, where) for d in s.dims])
    place = (Affine.of(s.dims[row]) - Affine.of(dims[0]) * few).to_aff(space, where)
    local = isl.LocalSpace.from_space(space)
    zero = isl.Aff.zero_on_domain(local)
    domain = s.domain.preimage_multi_aff(change).intersect(place.ge_set(zero)).intersect((place - few).lt_set(zero))
    inner = s.change_space(s.name, dims, domain, change)
    assert isinstance(inner.write, isl.MultiAff)
    index = [inner.write.get_aff(i) for i in range(len(whole.shape))]
    block = [isl.Aff.var_on_domain(local, isl.dim_type.set, d) for d in (0, *(1 + d for d in around))]
    inner = replace(inner, array=rows.name, write=islx.multi_aff(space, rows.name, [*block, *index]))

    elements = element_dims(len(whole.shape), params)
    parts = elements
    for hint in (*(s.dims[d] for d in reversed(around)), "b"):
        parts = (unique_name(hint, {*parts, *params}), *parts)
    every = inner.write_relation().range().intersect_params(program.context).coalesce()
    starts = identity_definitions(rows, "sum", every, params, parts, taken)
    taken.update(new.name for new in starts)
    sums = [
        _taken(start, wide, list(range(len(block), len(parts))), fresh(f"{wide.name}_sum"), machine.wide, s)
        for start in starts
    ]
    each = every.project_out(isl.dim_type.set, 0, len(block)).set_tuple_name(wide.name).coalesce()
    zeros = identity_definitions(wide, "sum", each, params, elements, taken)
    taken.update(new.name for new in zeros)
    ends = [_taken(z, whole, list(range(len(elements))), fresh(f"{s.array}_sum"), "float32", s) for z in zeros]
    return [*starts, inner, *zeros, *sums, *ends]


def _taken(start: Statement, to: Array, columns: list[int], name: str, dtype: str, s: Statement) -> Statement:
    """to[some of the dimensions] += start[all of them], wherever there is a beginning."""
    domain = islx.name_dims(start.domain.set_tuple_name(name), start.dims)
    space = domain.get_space()
    local = isl.LocalSpace.from_space(space)
    index = [isl.Aff.var_on_domain(local, isl.dim_type.set, d) for d in range(len(start.dims))]
    read: Expr = Read(start.array, islx.multi_aff(space, start.array, index), start.body.dtype)
    write = islx.multi_aff(space, to.name, [index[d] for d in columns])
    return Statement(name, start.dims, domain, to.name, write, cast(read, dtype), "sum", s.where)
