"""Sums in the steps of a recurrence, in as many parts as a block of a GPU has threads for.

    z[t, b, n] += U[k, n] * h[t, b, k]     ->     z_parts[t, b, p, n] += U[32 p + r, n] * h[t, b, 32 p + r], r < 32
                                                  z[t, b, n] += z_parts[t, b, p, n]

A step waits for the one before, and a sum for one term after the other. Parts run beside each other; how many there are
follows from the sizes, and so do the bits.

A contraction, of which one operand does not move along the results, stays as it is: the threads of a block divide its
terms themselves (codegen/cuda/step_products.py).

What must hold: the dimension that is divided is a box with all others; each part has its zero first.
"""

from __future__ import annotations

from dataclasses import replace

import islpy as isl

from polyad import islx
from polyad.analysis.plain_axes import plain_axes, separable, used_dims
from polyad.ir.affine import Affine
from polyad.ir.array import Array
from polyad.ir.expr import Apply, Read
from polyad.ir.names import unique_name
from polyad.ir.program import Program
from polyad.ir.statement import Statement
from polyad.machine.device import DEVICE
from polyad.transforms.rewrite.array_graph import array_components
from polyad.transforms.rewrite.extents import dimension_range
from polyad.transforms.rewrite.identity_definition import identity_definitions
from polyad.transforms.rewrite.strip_mine import strip_mine

__all__ = ["step_sums"]


def step_sums(program: Program) -> Program:
    """Divide sums of recurrences whose results are fewer than the threads of a block.

    Makes smaller: the terms that a thread adds up before the next step may begin.

    Args:
        program: with explicit identity definitions (transforms.initialise).
    """
    recurrent = {a for c in array_components(program) if c.recurrent for a in c.arrays}
    arrays = dict(program.arrays)
    taken = {s.name for s in program.statements} | arrays.keys()
    statements: list[Statement] = []
    for s in program.statements:
        steps = s.array in recurrent and any(r.array in recurrent for r in s.reads())
        found = _divided(program, s) if steps else None
        if found is None:
            statements.append(s)
            continue
        dim, column, size, parts = found
        name = unique_name(f"{s.array}_parts", taken)
        taken.add(name)
        *outer, last = arrays[s.array].shape
        arrays[name] = Array(name, (*outer, Affine.of(parts), last), arrays[s.array].dtype)
        split = _split(s, arrays[name], dim, column, size, taken)
        taken.update(new.name for new in split)
        statements += split
    if len(arrays) == len(program.arrays):
        return program
    return replace(program, arrays=arrays, statements=tuple(statements))


def _divided(program: Program, s: Statement) -> tuple[int, int, int, int] | None:
    """(the dimension to be divided, that of the results, terms of a part, parts), where it pays."""
    rank = len(program.arrays[s.array].shape)
    if s.reduction != "sum" or not isinstance(s.write, isl.MultiAff) or not rank or s.domain.n_basic_set() != 1:
        return None
    columns = [d for d, place in enumerate(plain_axes(s.write, len(s.dims))) if place == rank - 1]
    summed = [d for d in range(len(s.dims)) if d not in used_dims(s.write)]
    if len(columns) != 1 or not summed or _is_contraction(s, columns[0]):
        return None
    ranges = {d: dimension_range(s, d, program.arrays, program.context) for d in (*columns, *summed)}
    extents = {d: r[1].constant for d, r in ranges.items() if r is not None and r[1].is_constant}
    dim = max(summed, key=lambda d: extents.get(d, 0))
    low = ranges[dim]
    if extents.keys() != ranges.keys() or dim not in separable(s) or low is None or low[0] != Affine():
        return None
    parts = min(DEVICE.step_threads // max(extents[columns[0]], 1), extents[dim] // DEVICE.terms)
    if parts < 2:
        return None
    size = -(-extents[dim] // parts)
    return dim, columns[0], size, -(-extents[dim] // size)


def _is_contraction(s: Statement, column: int) -> bool:
    """Whether a sum is one of products, of whose factors one moves along a dimension, and one does not."""
    match s.body:
        case Apply("mul", (Read(access=isl.MultiAff() as one), Read(access=isl.MultiAff() as other))):
            return one.involves_dims(isl.dim_type.in_, column, 1) != other.involves_dims(isl.dim_type.in_, column, 1)
        case _:
            return False


def _split(s: Statement, own: Array, dim: int, column: int, size: int, taken: set[str]) -> list[Statement]:
    """The sums of parts, their zeros, and their sum."""
    params = s.params()
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
    return [*zeros, inner, outer]


def _write(s: Statement) -> isl.MultiAff:
    assert isinstance(s.write, isl.MultiAff)
    return s.write


def _element_names(own: Array, params: tuple[str, ...]) -> tuple[str, ...]:
    """Names for the dimensions of an array."""
    return tuple(unique_name(f"a{d}", params) for d in range(len(own.shape)))
