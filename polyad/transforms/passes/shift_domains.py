"""Domains that start at an offset are moved to start at zero, and those that count down are turned.

The adjoint of a slice z[H:2H] is defined on H <= h < 2H and reads everything at h - H. Counting from zero instead gives
the loop its siblings have, so that they can share it, and subscripts that read better. So it is where a flipped filter
has a gradient: w[8 - k] += x[t + 8 - k] * y[t] counts like the zeros that it starts from as w[k] += x[t + k] * y[t].

What must hold: instances stay one to one: domain and accesses are those of the same change of variables.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import replace

import islpy as isl

from polyad import islx
from polyad.ir.affine import Affine
from polyad.ir.expr import Access, Indirect
from polyad.ir.program import Program
from polyad.ir.statement import Statement

__all__ = ["shift_domains"]


def shift_domains(program: Program) -> Program:
    """Move each dimension whose least value is the offset that most accesses take away again; the write breaks ties.

    Dimensions along which most accesses count down are turned before, but for those of scans, which have a direction.
    """
    states = {a for scan in program.scans for a in scan.states}
    turned = (s if s.array in states else _turned(s) for s in program.statements)
    return replace(program, statements=tuple(map(_shifted, turned)))


def _turned(s: Statement) -> Statement:
    """The statement with dimensions that are written as offset - dimension turned, where most accesses count down."""
    if isinstance(s.write, Indirect):
        return s
    written = [Affine.from_aff(s.write.get_aff(i), s.dims) for i in range(s.write.dim(isl.dim_type.out))]
    ends = {d: _end(written, d, s.dims) for d in s.dims}
    turned = {d: end for d, end in ends.items() if end is not None and _steps(s, d) < 0}
    return _changed(s, {d: end - Affine.of(d) for d, end in turned.items()}) if turned else s


def _end(written: Sequence[Affine], dim: str, dims: tuple[str, ...]) -> Affine | None:
    """The offset of the one index that is offset - dim, offset over parameters only; None where there is none."""
    using = [index for index in written if dim in index.names()]
    if len(using) != 1:
        return None
    end = using[0] + Affine.of(dim)
    return None if end.names() & set(dims) else end


def _steps(s: Statement, dim: str) -> int:
    """How many more indices of accesses count up than down along a dimension."""
    total = 0
    for _, access in s.accesses():
        if isinstance(access, Indirect):
            continue
        for i in range(access.dim(isl.dim_type.out)):
            step = dict(Affine.from_aff(access.get_aff(i), s.dims).terms).get(dim, 0)
            total += (step > 0) - (step < 0)
    return total


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
    return _changed(s, {d: Affine.of(d) + start for d, start in shifts.items()})


def _changed(s: Statement, values: Mapping[str, Affine]) -> Statement:
    """The statement over dimensions in terms of which some of its own have these values."""
    params = s.params()
    space = islx.space(params, s.name, s.dims)
    where = islx.positions(params, s.dims)
    affs = [values.get(d, Affine.of(d)).to_aff(space, where) for d in s.dims]
    change = islx.multi_aff(space, s.name, affs)  # { S[new] -> S[old] }
    return s.change_space(s.name, s.dims, s.domain.preimage_multi_aff(change), change)
