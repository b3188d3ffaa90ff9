"""Indices by quotients and remainders: what reads x[j // 3, j % 3] counts by both instead of dividing.

    y[j] = x[j // 3, j % 3]     0 <= j < 12    ->    y[3 s + i] = x[s, i]     0 <= s < 4, 0 <= i < 3

Whatever is reshaped, tiled, repeated, in groups of channels, or the gradient of windows that do not overlap, divides by
a constant for each element. Over the pair there is no division, and both indices move by one.

What must hold: every value of the dimension is one pair; the order of recurrences is told by dimensions, so their
statements stay, and those that read them step by step, with which they may share a loop.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from math import gcd

import islpy as isl

from polyad import islx
from polyad.ir.affine import Affine, Atom, FloorDiv
from polyad.ir.expr import Index, Indirect
from polyad.ir.program import Program
from polyad.ir.statement import Statement
from polyad.machine import MACHINE, Machine
from polyad.transforms.rewrite.array_graph import array_components
from polyad.transforms.rewrite.map_indices import map_indices
from polyad.transforms.rewrite.strip_mine import split_dimension

__all__ = ["split_quotients"]

_MOST = 4
"""Dimensions of one statement that are split; there are more in no layer."""


def split_quotients(program: Program, machine: Machine = MACHINE) -> Program:
    """Split each dimension of which a statement's indices have quotients by a constant, coarse ones first.

    Args:
        program: any program.
        machine: says how long rows are that are worth a loop, where the position in memory has no quotient anyway.
    """
    recurrent = {a for c in array_components(program) if c.recurrent for a in c.arrays}
    statements = tuple(s if _touches(s, recurrent) else _split(s, program, machine) for s in program.statements)
    return program if statements == program.statements else replace(program, statements=statements)


def _touches(s: Statement, arrays: set[str]) -> bool:
    return s.array in arrays or any(r.array in arrays for r in s.reads())


def _split(s: Statement, program: Program, machine: Machine) -> Statement:
    for _ in range(_MOST):
        s = _reduced(s)
        found = [(q, d) for q in _quotients(s) if (d := _dimension(q, s)) and _pays(q, d, s, program, machine)]
        if not found or isinstance(s.write, Indirect):
            return s
        s = split_dimension(s, *max(found, key=lambda f: (f[0].divisor, -s.dims.index(f[1]))))
    return s


def _pays(quotient: FloorDiv, dim: str, s: Statement, program: Program, machine: Machine) -> bool:
    """Whether a loop over the quotient saves divisions, or makes rows to run along: x[e // 35, e % 35] lies at e."""
    if len(quotient.numerator.names() & {*s.dims}) == 1 or not _cancels(quotient, s, program):
        return True
    rank = len(program.arrays[s.array].shape)
    if isinstance(s.write, Indirect) or not rank or quotient.divisor < machine.piece:
        return False
    return bool(s.write.get_aff(rank - 1).involves_dims(isl.dim_type.in_, s.dims.index(dim), 1))


def _cancels(quotient: FloorDiv, s: Statement, program: Program) -> bool:
    """Whether positions in memory have no such quotient: the next index counts what it leaves, in rows as long."""
    if any(isinstance(e, Index) and quotient in _atoms(Affine.from_aff(e.value, s.dims)) for e in s.expressions()):
        return False
    for array, access in s.accesses():
        if isinstance(access, Indirect):
            continue
        shape, position = program.arrays[array].shape, Affine()
        for d, extent in enumerate(shape):
            index = Affine.from_aff(access.get_aff(d), s.dims)
            if not extent.is_constant:
                if quotient in _atoms(position):
                    return False
                position = index
            else:
                position = position * extent.constant + index
        if quotient in _atoms(position):
            return False
    return True


def _atoms(affine: Affine) -> set[Atom]:
    return {atom for atom, _ in affine.terms}


def _dimension(quotient: FloorDiv, s: Statement) -> str | None:
    """The innermost dimension that a quotient counts by one, plus or minus others; None where there is none."""
    names = [str(a) for a, c in quotient.numerator.terms if a in s.dims and c in (1, -1)]
    whole = all(isinstance(a, str) for a, _ in quotient.numerator.terms)
    return max(names, key=s.dims.index) if names and whole else None


def _reduced(s: Statement) -> Statement:
    """The statement with quotients by less: (3 n + i) // 6 is n // 2 where 0 <= i < 3."""
    known: dict[FloorDiv, Affine] = {}
    for quotient in _quotients(s):
        if quotient not in known and (found := _by_less(quotient, s)) is not None:
            known[quotient] = found
    if not known:
        return s
    where = islx.positions(s.params(), s.dims)

    def index(aff: isl.Aff) -> isl.Aff:
        affine = Affine.from_aff(aff, s.dims)
        result = Affine((), affine.constant)
        for atom, c in affine.terms:
            new = known.get(atom) if isinstance(atom, FloorDiv) else None
            result = result + (Affine(((atom, 1),), 0) if new is None else new) * c
        return result.to_aff(s.space(), where)

    return map_indices(s, s.space(), index, lambda relation: relation)


def _by_less(quotient: FloorDiv, s: Statement) -> Affine | None:
    """(g a + r) // (g n) as a // n, where 0 <= r < g in the whole domain."""
    terms, divisor = quotient.numerator.terms, quotient.divisor
    for g in sorted({gcd(c, divisor) for _, c in terms} - {1}, reverse=True):
        rest = Affine.build({a: c for a, c in terms if c % g}, quotient.numerator.constant % g)
        whole = quotient.numerator - rest
        if not rest.names() & {*s.dims}:
            continue
        aff = isl.PwAff.from_aff(rest.to_aff(s.space(), islx.positions(s.params(), s.dims)))
        aff = aff.intersect_domain(s.domain)
        least, most = aff.min_val(), aff.max_val()
        if least.is_int() and most.is_int() and least.to_python() >= 0 and most.to_python() < g:
            smaller = Affine.build({a: c // g for a, c in whole.terms}, whole.constant // g)
            return smaller if divisor == g else smaller // (divisor // g)
    return None


def _quotients(s: Statement) -> Iterator[FloorDiv]:
    """The quotients in its indices: of what it reads and writes, and those it computes with."""
    affs = []
    for _, access in s.accesses():
        if not isinstance(access, Indirect):
            affs += [access.get_aff(i) for i in range(access.dim(isl.dim_type.out))]
    affs += [e.value for e in s.expressions() if isinstance(e, Index)]
    for aff in affs:
        yield from (a for a, _ in Affine.from_aff(aff, s.dims).terms if isinstance(a, FloorDiv))
