"""Domains with holes are counted without them: S[a] with a even becomes S[k] with a = 2 k.

The adjoint of a read W[2 k, j] is defined where its first index is even, and reads everything else at a // 2. Counted
by k it has no divisions, runs in step with the statements that it reads from, and can share their loops.

What must hold: every instance has the one k with a = 2 k: the step and where it starts are proved for the whole domain.
"""

from __future__ import annotations

from dataclasses import replace

import islpy as isl

from polyad import islx
from polyad.ir.affine import Affine
from polyad.ir.program import Program
from polyad.ir.statement import Statement

__all__ = ["unstride"]


def unstride(program: Program) -> Program:
    """Replace every dimension that runs in steps of a constant by one that runs in steps of 1."""
    return replace(program, statements=tuple(_unstrided(s) for s in program.statements))


def _unstrided(s: Statement) -> Statement:
    space = islx.space(s.params(), s.name, s.dims)
    where = islx.positions(s.params(), s.dims)
    plain = tuple(Affine.of(d) for d in s.dims)
    values = list(plain)
    for position, dim in enumerate(s.dims):
        step = _step(s.domain, position)
        if step is not None:
            values[position] = Affine.of(dim) * step[0] + step[1]
    if tuple(values) == plain:
        return s
    change = islx.multi_aff(space, s.name, [v.to_aff(space, where) for v in values])  # { S[new] -> S[old] }
    domain = s.domain.preimage_multi_aff(change).coalesce().remove_redundancies()
    return s.change_space(s.name, s.dims, islx.name_dims(domain, s.dims), change)


def _step(domain: isl.Set, position: int) -> tuple[int, int] | None:
    """(step, offset) of a dimension whose values are step * k + offset, else None."""
    step = int(domain.get_stride(position).to_python())
    if step <= 1:
        return None
    for offset in range(step):
        aligned = isl.Aff.zero_on_domain(isl.LocalSpace.from_space(domain.get_space()))
        aligned = aligned.set_coefficient_val(isl.dim_type.in_, position, isl.Val(1)).set_constant_val(isl.Val(-offset))
        holes = aligned.mod_val(isl.Val(step)).ne_set(
            isl.Aff.zero_on_domain(isl.LocalSpace.from_space(domain.get_space()))
        )
        if domain.intersect(holes).is_empty():
            return step, offset
    return None  # the offset depends on other dimensions
