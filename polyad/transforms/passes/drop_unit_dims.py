"""Dimensions with one value are dropped from statements.

An axis of extent 1 (a batch of one sequence, a kept dimension of a reduction, the adjoint of a broadcast) makes loops
of one iteration. Nothing can be told from their names: S[t, i = 0, j] reads z[t, i, j] and z[t, 0, j] alike, and only
where both say z[t, 0, j] is it seen that a copy is a copy and that an addend is read once.

So is a dimension of a definition that stands neither in its write nor in its body: a[t, i] is written once, for
whichever j that is.

What must hold: the dimension has one value for all instances and sizes, so instances stay one to one; a contribution
becomes a definition only where it is the only writer, reaches every element, and each of them once.
"""

from __future__ import annotations

from dataclasses import replace

import islpy as isl

from polyad import islx
from polyad.analysis.plain_axes import mentioned_dims
from polyad.ir.affine import Affine
from polyad.ir.array import Array
from polyad.ir.expr import Access, Indirect
from polyad.ir.program import Program
from polyad.ir.statement import Statement
from polyad.transforms.rewrite.projection import without_dims
from polyad.transforms.rewrite.sums.only_contribution import as_definition

__all__ = ["drop_unit_dims"]

_ONE = Affine() + 1


def drop_unit_dims(program: Program) -> Program:
    """Drop the dimensions of statements that have one value, where their array's extent is 1 or they sum.

    A dimension fixed at one element of a longer axis stays: it says where among its siblings the statement stands.

    What then is the only contribution to each element of its array defines it.

    Makes smaller: the number of dimensions of statements.
    """
    writers = program.writers()
    statements = []
    for s in program.statements:
        array = program.arrays[s.array]
        new = _dropped(s, array)
        if len(writers[s.array]) == 1 and (new is not s or any(e == _ONE for e in array.shape)):
            new = as_definition(new, program)
        statements.append(new)
    if all(new is old for new, old in zip(statements, program.statements, strict=True)):
        return program
    return replace(program, statements=tuple(statements))


def _dropped(s: Statement, array: Array) -> Statement:
    kept = sorted(mentioned_dims(s))
    if s.reduction is None and len(kept) < len(s.dims):
        left, change = without_dims(s, s.name, kept)
        return _dropped(s.change_space(s.name, tuple(s.dims[i] for i in kept), left, change), array)
    domain = s.domain.detect_equalities()
    fixed: dict[str, int] = {}
    for i, d in enumerate(s.dims):
        value = domain.plain_get_val_if_fixed(isl.dim_type.set, i)
        if value.is_int() and _has_one_element(s.write, i, array):
            fixed[d] = value.to_python()
    if not fixed:
        return s
    dims = tuple(d for d in s.dims if d not in fixed)
    left = domain
    for i in reversed(range(len(s.dims))):
        if s.dims[i] in fixed:
            left = left.project_out(isl.dim_type.set, i, 1)
    left = left.set_tuple_name(s.name)
    space, where = islx.space(s.params(), s.name, dims), islx.positions(s.params(), dims)
    affs = [(Affine.of(d) if d in dims else Affine() + fixed[d]).to_aff(space, where) for d in s.dims]
    return s.change_space(s.name, dims, left, islx.multi_aff(space, s.name, affs))


def _has_one_element(write: Access, dim: int, array: Array) -> bool:
    """Whether a dimension of a statement is not written along, or along axes of extent 1 only."""
    if isinstance(write, Indirect):
        return False
    for axis, extent in enumerate(array.shape):
        if write.get_aff(axis).involves_dims(isl.dim_type.in_, dim, 1) and extent != _ONE:
            return False
    return True
