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

import islpy as isl

from polyad.ir.affine import Affine, FloorDiv
from polyad.ir.expr import Index, Indirect
from polyad.ir.program import Program
from polyad.ir.statement import Statement
from polyad.transforms.rewrite.array_graph import array_components
from polyad.transforms.rewrite.strip_mine import split_dimension

__all__ = ["split_quotients"]

_MOST = 4
"""Dimensions of one statement that are split; there are more in no layer."""


def split_quotients(program: Program) -> Program:
    """Split each dimension of which a statement's indices have quotients by a constant, coarse ones first."""
    recurrent = {a for c in array_components(program) if c.recurrent for a in c.arrays}
    statements = tuple(s if _touches(s, recurrent) else _split(s) for s in program.statements)
    return program if statements == program.statements else replace(program, statements=statements)


def _touches(s: Statement, arrays: set[str]) -> bool:
    return s.array in arrays or any(r.array in arrays for r in s.reads())


def _split(s: Statement) -> Statement:
    for _ in range(_MOST):
        found = [q for q in _quotients(s) if _simple(q, s)]
        if not found or isinstance(s.write, Indirect):
            return s
        s = split_dimension(s, max(found, key=lambda q: (q.divisor, -s.dims.index(_dimension(q)))))
    return s


def _simple(quotient: FloorDiv, s: Statement) -> bool:
    """Whether it is one of a dimension plus or minus a constant."""
    terms = quotient.numerator.terms
    return len(terms) == 1 and terms[0][0] in s.dims and terms[0][1] in (1, -1)


def _dimension(quotient: FloorDiv) -> str:
    ((atom, _),) = quotient.numerator.terms
    return str(atom)


def _quotients(s: Statement) -> Iterator[FloorDiv]:
    """The quotients in its indices: of what it reads and writes, and those it computes with."""
    affs = []
    for access in (s.write, *(r.access for r in s.reads())):
        if not isinstance(access, Indirect):
            affs += [access.get_aff(i) for i in range(access.dim(isl.dim_type.out))]
    affs += [e.value for e in s.expressions() if isinstance(e, Index)]
    for aff in affs:
        yield from (a for a, _ in Affine.from_aff(aff, s.dims).terms if isinstance(a, FloorDiv))
