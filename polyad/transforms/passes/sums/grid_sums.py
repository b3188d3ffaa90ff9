"""Sums over everything are made of sums of rows, so that all of a GPU works on them.

    s += f(i, j, k)      ->      rows[i, j] += f(i, j, k);              s += rows[i, j]
    s += f(i)            ->      rows[q] += f(4096 q + r), r < 4096;    s += rows[q]

One number is summed up by the threads of one block. Rows have a block each; their number follows from the sizes, so
the bits do. Products, maxima and minima alike.

What must hold: the domain is a box, so that every row is there; each row that is added up has its identity first.
"""

from __future__ import annotations

from dataclasses import replace
from math import prod

import islpy as isl

from polyad import islx
from polyad.analysis.plain_axes import separable
from polyad.ir.affine import Affine
from polyad.ir.array import Array
from polyad.ir.expr import Read
from polyad.ir.names import unique_name
from polyad.ir.program import Program
from polyad.ir.statement import Statement
from polyad.machine.device import DEVICE
from polyad.transforms.rewrite.extents import dimension_range
from polyad.transforms.rewrite.identity_definition import identity_definitions

__all__ = ["grid_sums"]


def grid_sums(program: Program) -> Program:
    """Split sums over everything.

    Makes smaller: the terms that one block adds up.

    Args:
        program: with explicit identity definitions (transforms.initialise).
    """
    arrays = dict(program.arrays)
    taken = {s.name for s in program.statements} | arrays.keys()
    statements: list[Statement] = []
    for s in program.statements:
        rows = _rows(program, s)
        if rows is None:
            statements.append(s)
            continue
        s, count = rows
        name = unique_name(f"{s.array}_rows", taken)
        taken.add(name)
        ranges = [dimension_range(s, d, arrays, program.context) for d in range(count)]
        found = [r for r in ranges if r is not None]
        assert len(found) == count, "boxes have ranges"
        arrays[name] = Array(name, tuple(extent for _, extent in found), arrays[s.array].dtype)
        split = _split(s, arrays[name], [low for low, _ in found], taken)
        taken.update(new.name for new in split)
        statements += split
    if len(arrays) == len(program.arrays):
        return program
    return replace(program, arrays=arrays, statements=tuple(statements))


def _rows(program: Program, s: Statement) -> tuple[Statement, int] | None:
    """The statement over rows, and how many of its dimensions count them; None where it stays."""
    if s.reduction not in ("sum", "prod", "max", "min") or program.arrays[s.array].shape or not s.dims:
        return None
    if s.domain.n_basic_set() != 1 or len(separable(s)) != len(s.dims):
        return None
    ranges = [dimension_range(s, d, program.arrays, program.context) for d in range(len(s.dims))]
    extents = [r[1].constant if r is not None and r[1].is_constant else None for r in ranges]
    if any(r is None for r in ranges) or _terms(extents) < DEVICE.few:
        return None
    for count in range(len(s.dims) - 1, 0, -1):
        if _terms(extents[count:]) >= DEVICE.most_threads and _terms(extents[:count]) > 1:
            return s, count
    first = ranges[0]
    assert first is not None
    if _terms(extents[:1]) <= DEVICE.unknown:
        return None
    return _stripped(s, first[0]), 1


def _terms(extents: list[int | None]) -> float:
    """The number of iterations; a size that nobody knows is large."""
    return prod(float("inf") if e is None else max(e, 0) for e in extents) if 0 not in extents else 0


def _stripped(s: Statement, low: Affine) -> Statement:
    """A statement with its first dimension in strips: i = low + 4096 q + r."""
    strip, place = (unique_name(n, {*s.dims, *s.params()}) for n in ("q", "r"))
    dims = (strip, place, *s.dims[1:])
    space, where = islx.space(s.params(), s.name, dims), islx.positions(s.params(), dims)
    whole = low + Affine.of(strip) * DEVICE.unknown + Affine.of(place)
    affs = [(whole if d == s.dims[0] else Affine.of(d)).to_aff(space, where) for d in s.dims]
    change = islx.multi_aff(space, s.name, affs)
    domain = s.domain.preimage_multi_aff(change)
    zero = isl.Aff.zero_on_domain(isl.LocalSpace.from_space(space))
    within = Affine.of(place).to_aff(space, where)
    domain = domain.intersect(within.ge_set(zero)).intersect((within - DEVICE.unknown).lt_set(zero))
    return s.change_space(s.name, dims, islx.name_dims(domain, dims), change)


def _split(s: Statement, rows: Array, low: list[Affine], taken: set[str]) -> list[Statement]:
    """The sums of rows, what they begin with, and their sum."""
    params, count = s.params(), len(rows.shape)
    dims = s.dims[:count]

    def index(statement: str, of: tuple[str, ...]) -> isl.MultiAff:
        space, where = islx.space(params, statement, of), islx.positions(params, of)
        affs = [(Affine.of(d) - start).to_aff(space, where) for d, start in zip(dims, low, strict=True)]
        return islx.multi_aff(space, rows.name, affs)

    inner = replace(s, array=rows.name, write=index(s.name, s.dims))
    name = unique_name(f"{s.array}_rows_sum", taken)
    domain = s.domain.project_out(isl.dim_type.set, count, len(s.dims) - count).set_tuple_name(name)
    access = index(name, dims)
    write = islx.multi_aff(access.get_domain_space(), s.array, [])
    read = Read(rows.name, access, rows.dtype)
    outer = Statement(name, dims, islx.name_dims(domain, dims), s.array, write, read, s.reduction, s.where)
    assert s.reduction is not None
    zeros = identity_definitions(rows, s.reduction, inner.write_relation().range(), params, dims, taken | {name})
    return [*zeros, inner, outer]
