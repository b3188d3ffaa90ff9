"""Domains that start at an offset are moved to start at zero.

The adjoint of a slice z[H:2H] is defined on H <= h < 2H and reads everything at h - H. Counting from zero instead gives
the loop its siblings have, so that they can share it, and subscripts that read better.

What must hold: instances stay one to one: domain and accesses are those of the same change of variables.
"""

from __future__ import annotations

from collections import Counter
from dataclasses import replace

import islpy as isl

from polyad import islx
from polyad.ir.affine import Affine
from polyad.ir.expr import Access, Indirect
from polyad.ir.program import Program
from polyad.ir.statement import Statement

__all__ = ["shift_domains"]


def shift_domains(program: Program) -> Program:
    """Move each dimension whose least value is the offset that most accesses take away again; the write breaks ties."""
    return replace(program, statements=tuple(_shifted(s) for s in program.statements))


def _offsets(access: Access, dims: tuple[str, ...]) -> list[tuple[str, Affine]]:
    """(dimension, offset) for every index of the form dimension + offset, offset over parameters only."""
    if isinstance(access, Indirect):
        return []
    found = []
    for i in range(access.dim(isl.dim_type.out)):
        affine = Affine.from_aff(access.get_aff(i), dims)
        inside = affine.names() & set(dims)
        if len(inside) == 1:
            (dim,) = inside
            offset = affine - Affine.of(dim)
            if dim not in offset.names():
                found.append((dim, offset))
    return found


def _shifted(s: Statement) -> Statement:
    accesses = [s.write, *(r.access for r in s.reads())]
    written = _offsets(s.write, s.dims)
    votes: dict[str, Counter[Affine]] = {}
    for access in accesses:
        for dim, offset in _offsets(access, s.dims):
            votes.setdefault(dim, Counter())[offset] += 1
    shifts: dict[str, Affine] = {}
    for dim, count in votes.items():
        offset, most = max(count.items(), key=lambda item: (item[1], (dim, item[0]) in written, str(item[0])))
        if offset != Affine() and (most > count[Affine()] or (dim, offset) in written):
            start = -offset
            if _starts_at(s, dim, start):
                shifts[dim] = start
    return _apply(s, shifts) if shifts else s


def _starts_at(s: Statement, dim: str, start: Affine) -> bool:
    """True when the least value of the dimension is `start`, for all sizes."""
    least = s.domain.dim_min(s.dims.index(dim))
    if least.n_piece() != 1:
        return False
    found: list[isl.Aff] = []
    least.foreach_piece(lambda _, aff: found.append(aff))
    return Affine.from_aff(found[0], ()) == start


def _apply(s: Statement, shifts: dict[str, Affine]) -> Statement:
    """The statement over dimensions that count from zero."""
    params = s.params()
    space = islx.space(params, s.name, s.dims)
    where = islx.positions(params, s.dims)
    affs = [(Affine.of(d) + shifts.get(d, 0)).to_aff(space, where) for d in s.dims]
    change = islx.multi_aff(space, s.name, affs)  # { S[new] -> S[old] }
    return s.change_space(s.name, s.dims, s.domain.preimage_multi_aff(change), change)
