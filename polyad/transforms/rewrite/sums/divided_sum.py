"""A sum in parts, each of which is a sum by itself.

    z[i, n] += f(k, i, n)     ->     z_parts[i, p, n] += f(32 p + r, i, n), r < 32
                                     z[i, n] += z_parts[i, p, n]

What must hold: the dimension that is divided is a box with all others; each part has its zero first.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace

import islpy as isl

from polyad import islx
from polyad.analysis.plain_axes import plain_axes, separable, used_dims
from polyad.ir.affine import Affine
from polyad.ir.array import Array
from polyad.ir.expr import Read
from polyad.ir.names import unique_name
from polyad.ir.program import Program
from polyad.ir.statement import Statement
from polyad.transforms.rewrite.extents import dimension_range
from polyad.transforms.rewrite.identity_definition import identity_definitions
from polyad.transforms.rewrite.strip_mine import strip_mine

__all__ = ["Dividable", "Division", "dividable", "with_divided_sums"]

Division = tuple[int, int, int, int]
"""(the dimension to be divided, that of the last dimension of the results, the terms of a part, the parts)."""


@dataclass(frozen=True, slots=True)
class Dividable:
    """A sum that can be divided.

    Attributes:
        dim: the dimension to be divided.
        terms: its extent.
        column: the dimension of the last dimension of the results.
        columns: its extent.
    """

    dim: int
    terms: int
    column: int
    columns: int

    def in_parts(self, parts: int) -> Division | None:
        """(dim, column, terms of a part, parts), the last part maybe shorter; None for less than two parts."""
        if parts < 2 or self.terms < 2:
            return None
        size = -(-self.terms // parts)
        return self.dim, self.column, size, -(-self.terms // size)

    def in_equal_parts(self, parts: int) -> Division | None:
        """The same with as many parts as divide the terms; None where that takes half of them away."""
        equal = next((n for n in range(min(parts, self.terms), parts // 2, -1) if self.terms % n == 0), 1)
        return self.in_parts(equal)


def dividable(program: Program, s: Statement) -> Dividable | None:
    """The longest dimension of a sum of known extents, where it can be divided."""
    rank = len(program.arrays[s.array].shape)
    if s.reduction != "sum" or not isinstance(s.write, isl.MultiAff) or not rank or s.domain.n_basic_set() != 1:
        return None
    columns = [d for d, place in enumerate(plain_axes(s.write, len(s.dims))) if place == rank - 1]
    summed = [d for d in range(len(s.dims)) if d not in used_dims(s.write)]
    if len(columns) != 1 or not summed:
        return None
    ranges = {d: dimension_range(s, d, program.arrays, program.context) for d in (*columns, *summed)}
    extents = {d: r[1].constant for d, r in ranges.items() if r is not None and r[1].is_constant}
    dim = max(summed, key=lambda d: extents.get(d, 0))
    low = ranges[dim]
    if extents.keys() != ranges.keys() or dim not in separable(s) or low is None or low[0] != Affine():
        return None
    return Dividable(dim, extents[dim], columns[0], extents[columns[0]])


def with_divided_sums(program: Program, divided: Callable[[Statement], Division | None]) -> Program:
    """A program with some of its sums in parts.

    Args:
        program: with explicit identity definitions (transforms.initialise).
        divided: how a statement is divided, as `Dividable` says it; None for one that stays.
    """
    arrays = dict(program.arrays)
    taken = {s.name for s in program.statements} | arrays.keys()
    statements: list[Statement] = []
    for s in program.statements:
        found = divided(s)
        if found is None:
            statements.append(s)
            continue
        own, split = _divided_sum(arrays[s.array], s, *found, taken)
        arrays[own.name] = own
        statements += split
    if len(arrays) == len(program.arrays):
        return program
    return replace(program, arrays=arrays, statements=tuple(statements))


def _divided_sum(
    array: Array, s: Statement, dim: int, column: int, size: int, parts: int, taken: set[str]
) -> tuple[Array, list[Statement]]:
    """The array of the sums of parts; their zeros, they themselves, and their sum.

    Args:
        array: that of the statement.
        s: a sum that can be divided.
        dim: the dimension to be divided.
        column: that of the last dimension of the array.
        size: the terms of a part.
        parts: how many there are.
        taken: the names of arrays and statements; new ones are added.
    """
    params = s.params()
    *outermost, last = array.shape
    name = unique_name(f"{s.array}_parts", taken)
    taken.add(name)
    own = Array(name, (*outermost, Affine.of(parts), last), array.dtype)
    part, place = (unique_name(n, {*s.dims, *params}) for n in ("p", "r"))
    dims: list[str] = []
    for d, name in enumerate(s.dims):
        dims += [part, name] if d == column else [place] if d == dim else [name]
    inner = strip_mine(s, dim, Affine(), size, part, place, tuple(dims))
    assert isinstance(inner.write, isl.MultiAff)

    def index(write: isl.MultiAff, number: isl.Aff) -> isl.MultiAff:
        given = [write.get_aff(i) for i in range(write.dim(isl.dim_type.out))]
        return islx.multi_aff(write.get_domain_space(), own.name, [*given[:-1], number, given[-1]])

    number = Affine.of(part).to_aff(inner.space(), islx.positions(params, inner.dims))
    inner = replace(inner, array=own.name, write=index(inner.write, number))
    elements = inner.write_relation().range()
    zeros = identity_definitions(own, "sum", elements, params, _element_names(own, params), taken)
    kept = [d for d in range(len(s.dims)) if d in used_dims(_write(s))]
    name = unique_name(f"{s.array}_parts_sum", taken | {z.name for z in zeros})
    outer_dims = (*(s.dims[d] for d in kept), part)
    outer_space, outer_where = islx.space(params, name, outer_dims), islx.positions(params, outer_dims)
    outer_affs = [
        Affine.from_aff(_write(s).get_aff(i), s.dims).to_aff(outer_space, outer_where)
        for i in range(len(own.shape) - 1)
    ]
    write = islx.multi_aff(outer_space, s.array, outer_affs)
    read = index(write, Affine.of(part).to_aff(outer_space, outer_where))
    outer_domain = elements.preimage_multi_aff(read).set_tuple_name(name)
    body = Read(own.name, read, own.dtype)
    outer = Statement(name, outer_dims, islx.name_dims(outer_domain, outer_dims), s.array, write, body, "sum", s.where)
    made = [*zeros, inner, outer]
    taken.update(new.name for new in made)
    return own, made


def _write(s: Statement) -> isl.MultiAff:
    assert isinstance(s.write, isl.MultiAff)
    return s.write


def _element_names(own: Array, params: tuple[str, ...]) -> tuple[str, ...]:
    """Names for the dimensions of an array."""
    return tuple(unique_name(f"a{d}", params) for d in range(len(own.shape)))
