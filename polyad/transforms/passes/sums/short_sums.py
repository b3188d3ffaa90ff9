"""Short sums written out: what is added up over a few values is one equation, before loops are chosen.

    y[c, t] += w[c, k] * x[c, t + k]    0 <= k < 3   ->   y[c, t] = w[c, 0] * x[c, t] + w[c, 1] * x[c, t + 1] + ...

A loop over few terms inside of a long one hides the long one from vectors, and what reads y from fusion. Written out,
the sum is a definition like any other: of the taps of a filter, the neighbours of a stencil, the coordinates of a
point. Where the terms of an element depend on where it is, as at the borders of a gradient, each term is a contribution
of its own, and one equation is made for what they have in common (merge_overlaps.py).

What must hold: the terms of the statements are those of the sum, each once; elements keep the order of their terms.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from functools import partial, reduce
from itertools import product
from math import prod

import islpy as isl

from polyad import islx
from polyad.analysis.contraction import matrix_product_of
from polyad.analysis.plain_axes import plain_axes, used_dims
from polyad.analysis.strides import strides
from polyad.ir.affine import Affine
from polyad.ir.array import Array
from polyad.ir.expr import Access, pullback, size
from polyad.ir.names import unique_name
from polyad.ir.program import Program
from polyad.ir.statement import Statement
from polyad.machine import MACHINE, Machine
from polyad.ops import apply
from polyad.transforms.rewrite.identity_definition import restored_identities

__all__ = ["write_out"]

_SPELLED = {"sum": "add", "prod": "mul", "max": "maximum", "min": "minimum"}


def write_out(program: Program, machine: Machine = MACHINE) -> Program:
    """Write out the reductions over so few values that a body holds all of their terms.

    Makes smaller: the number of loops, and of passes over memory; makes larger: bodies.

    Args:
        program: any program.
        machine: says how large bodies may become, and which loops fill vectors.
    """
    taken = {s.name for s in program.statements}
    writers = program.writers()
    replaced: dict[str, list[Statement]] = {}
    for s in program.statements:
        terms = _terms(program, s, machine, taken)
        if terms:
            new = _definition(program, s, terms) if len(writers[s.array]) == 1 else None
            if new is None and s.reduction != "sum":
                continue
            replaced[s.name] = terms if new is None else [new]
            taken.update(t.name for t in replaced[s.name])
    if not replaced:
        return program
    result = [new for s in program.statements for new in replaced.get(s.name, [s])]
    dropped = {s.array: s.reduction for s in program.statements if s.name in replaced and s.reduction is not None}
    return program.with_statements(result + restored_identities(program, result, dropped))


def _terms(program: Program, s: Statement, machine: Machine, taken: set[str]) -> list[Statement]:
    """A contribution for each value of the reduction dimensions; none where that is not wanted."""
    if s.reduction is None or not isinstance(s.write, isl.MultiAff):
        return []
    outputs = used_dims(s.write)
    sums = [d for d in range(len(s.dims)) if d not in outputs]
    if not sums or not _fill_vectors(program, s, outputs, machine):
        return []
    domain = s.domain.intersect_params(program.context)
    ranges = [_range(domain, d) for d in sums]
    values = [r for r in ranges if r is not None]
    count = prod(len(r) for r in values)
    if len(values) < len(sums) or not 1 < count <= machine.terms or count * size(s.body) > machine.merged:
        return []
    if count > machine.jam and matrix_product_of(s) is not None:
        return []
    return [t for at in product(*values) if (t := _term(s, sums, at, taken)) is not None]


def _range(domain: isl.Set, d: int) -> range | None:
    """The values of a dimension, where they are numbers."""
    low, high = domain.dim_min_val(d), domain.dim_max_val(d)
    return range(int(low.to_python()), int(high.to_python()) + 1) if low.is_int() and high.is_int() else None


def _fill_vectors(program: Program, s: Statement, outputs: set[int], machine: Machine) -> bool:
    """Whether vectors may run along some long dimension of the result."""
    accesses = [s.write, *(r.access for r in s.reads())]
    if not all(isinstance(a, isl.MultiAff) for a in accesses):
        return False
    arrays = [program.arrays[n] for n in (s.array, *(r.array for r in s.reads()))]
    found = [(array, a, strides(a, s.dims)) for array, a in zip(arrays, accesses, strict=True)]
    domain = s.domain.intersect_params(program.context)
    for d in outputs:
        if all(
            stride[s.dims[d]] is not None or _may_be_smooth(a, d, outputs) or _steps_by_few(array, a, d, machine.jam)
            for array, a, stride in found
        ):
            extent = islx.extent(domain, d)
            if extent is None or extent >= machine.piece:
                return True
    return False


def _steps_by_few(array: Array, access: Access, d: int, few: int) -> bool:
    """Whether memory is walked in steps of a few elements, as by windows side by side: vectors are parted."""
    assert isinstance(access, isl.MultiAff)
    step, size = 0, 1
    for i in reversed(range(len(array.shape))):
        found = access.get_aff(i).get_coefficient_val(isl.dim_type.in_, d)
        if not found.is_int() or access.get_aff(i).dim(isl.dim_type.div):
            return False
        step += size * int(found.to_python())
        if size > few or not array.shape[i].is_constant:
            size = few + 1  # what lies further out steps by more than that
        else:
            size *= array.shape[i].constant
    return 1 < step <= few


def _may_be_smooth(access: Access, d: int, outputs: set[int]) -> bool:
    """Whether an array has that dimension as an axis, and is read for all of another one: vector_layout.py moves it."""
    axis = plain_axes(access, d + 1)[d]
    return axis is not None and axis >= 0 and bool(outputs - used_dims(access))


def _term(s: Statement, sums: Sequence[int], at: Sequence[int], taken: set[str]) -> Statement | None:
    """The statement with its reduction dimensions fixed."""
    name = unique_name(s.name, taken)
    dims = tuple(n for d, n in enumerate(s.dims) if d not in sums)
    fixed = dict(zip(sums, at, strict=True))
    space = islx.space(s.params(), name, dims)
    where = islx.positions(s.params(), dims)
    values = [Affine.of(fixed[d]) if d in fixed else Affine.of(n) for d, n in enumerate(s.dims)]
    change = islx.multi_aff(space, s.name, [v.to_aff(space, where) for v in values])  # { T[outer] -> S[all] }
    domain = s.domain.preimage_multi_aff(change).coalesce()
    if domain.is_empty():
        return None
    taken.add(name)
    return s.change_space(name, dims, islx.name_dims(domain, dims), change)


def _definition(program: Program, s: Statement, terms: Sequence[Statement]) -> Statement | None:
    """One equation, where each element has all of the terms."""
    first = terms[0]
    domains = [t.domain.intersect_params(program.context).set_tuple_name(first.name) for t in terms]
    whole = all(d.is_equal(domains[0]) for d in domains[1:])
    if not whole or not first.write_relation().intersect_params(program.context).is_injective():
        return None
    bodies = [pullback(t.body, _renamed(t, first.name)) for t in terms]
    body = reduce(partial(apply, _SPELLED[str(s.reduction)]), bodies)
    return replace(first, body=body, reduction=None)


def _renamed(s: Statement, name: str) -> isl.MultiAff:
    """{ name[i] -> S[i] }."""
    return isl.MultiAff.identity_on_domain_space(s.space()).set_tuple_name(isl.dim_type.in_, name)
