"""Indices that wrap around: what reads u[(i + 1) % N] is one statement where it does not wrap, and one for each edge.

    y[i] = u[i] + u[(i + 1) % N]     0 <= i < N          y[i] = u[i] + u[i + 1]           0 <= i < N - 1
                                                   ->    y[N - 1] = u[N - 1] + u[0]

A remainder along the contiguous index keeps vectors from being loaded. Inside, the quotient is one number, and
neighbours in the loop are neighbours in memory. Derivatives come before that: the adjoint of a periodic shift is one,
too.

What must hold: the intervals are disjoint and make up the whole dimension, and a quotient is replaced only by what it
is all over its interval.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

import islpy as isl

from polyad import islx
from polyad.ir.affine import Affine, FloorDiv
from polyad.ir.expr import Expr, Read
from polyad.ir.names import unique_name
from polyad.ir.program import Program
from polyad.ir.statement import Statement
from polyad.machine import MACHINE, Machine
from polyad.transforms.rewrite.fold import rebuild_statement
from polyad.transforms.rewrite.rename import rename_statement

__all__ = ["split_wraps"]

_JUMPS = 2
"""How often an index that wraps around at its edges does so; what does it more often counts in steps."""


def split_wraps(program: Program, machine: Machine = MACHINE) -> Program:
    """Split statements whose contiguous reads wrap around, along each dimension that does.

    Args:
        program: any program.
        machine: says how many instances an edge may have, and how many between edges are worth a statement.
    """
    taken = {s.name for s in program.statements}
    statements = [piece for s in program.statements for piece in _split(program, s, taken, machine)]
    return program.with_statements(statements)


def _split(program: Program, s: Statement, taken: set[str], machine: Machine) -> Iterator[Statement]:
    """The pieces of a statement, the one inside first."""
    s = _settled(s, program.context)
    for dim in s.dims:
        intervals = _intervals(s, dim, program.context, machine)
        if len(intervals) > 1:
            inside, *edges = sorted(intervals, key=lambda i: i[0] - i[1])
            yield from _split(program, _piece(s, s.name, dim, inside), taken, machine)
            for edge in sorted(edges):
                name = unique_name(s.name, taken)
                taken.add(name)
                yield from _split(program, _piece(s, name, dim, edge), taken, machine)
            return
    yield s


def _settled(s: Statement, context: isl.Set) -> Statement:
    """The statement without quotients that are one number wherever it is."""
    for dim in s.dims:
        found = list(_divisions(s, dim, every=True))
        if found and (span := _span(s, dim, context)) is not None and not all(_jumps(d, dim, *span) for d in found):
            s = _piece(s, s.name, dim, span)
    return s


def _span(s: Statement, dim: str, context: isl.Set) -> tuple[int, int] | None:
    """The first and last value of a dimension, where they are numbers."""
    domain, position = s.domain.intersect_params(context), s.dims.index(dim)
    low, high = domain.dim_min_val(position), domain.dim_max_val(position)
    return (int(low.to_python()), int(high.to_python())) if low.is_int() and high.is_int() else None


def _intervals(s: Statement, dim: str, context: isl.Set, machine: Machine) -> list[tuple[int, int]]:
    """First and last value of a dimension of each stretch without wrapping; one where it is to stay whole."""
    span = _span(s, dim, context)
    if span is None:
        return []
    first, last = span
    jumps = [j for d in _divisions(s, dim) if len(j := _jumps(d, dim, first, last)) <= _JUMPS]
    edges = sorted({first, *(at for j in jumps for at in j)})
    found = [(a, b - 1) for a, b in zip(edges, [*edges[1:], last + 1], strict=True)]
    *thin, long = sorted(b - a + 1 for a, b in found)
    return found if long >= machine.inside and all(t <= machine.border for t in thin) else []


def _divisions(s: Statement, dim: str, every: bool = False) -> Iterator[FloorDiv]:
    """The quotients of one dimension in the contiguous indices of reads, or in all of them."""
    for read in s.reads():
        if isinstance(read.access, isl.MultiAff) and (rank := read.access.dim(isl.dim_type.out)):
            for d in range(0 if every else rank - 1, rank):
                if read.access.get_aff(d).dim(isl.dim_type.div):
                    index = Affine.from_aff(read.access.get_aff(d), s.dims)
                    yield from (a for a, _ in index.terms if isinstance(a, FloorDiv) and _follows(a, dim))


def _follows(division: FloorDiv, dim: str) -> bool:
    """Whether a quotient is one of dim + c or c - dim."""
    return len(division.numerator.terms) == 1 and division.numerator.terms[0] in ((dim, 1), (dim, -1))


def _jumps(division: FloorDiv, dim: str, first: int, last: int) -> range:
    """The values of a dimension in first + 1 ... last at which a quotient changes."""
    ((_, sign),) = division.numerator.terms
    offset, divisor = division.numerator.constant, division.divisor
    start = -offset if sign > 0 else offset + 1  # where the numerator passes zero
    return range(first + 1 + (start - first - 1) % divisor, last + 1, divisor)


def _piece(s: Statement, name: str, dim: str, interval: tuple[int, int]) -> Statement:
    """The instances of an interval, quotients of the dimension replaced by what they are there."""
    position = s.dims.index(dim)
    domain = s.domain.lower_bound_val(isl.dim_type.set, position, isl.Val(interval[0]))
    domain = domain.upper_bound_val(isl.dim_type.set, position, isl.Val(interval[1])).coalesce()

    def visit(expr: Expr) -> Expr | None:
        if not isinstance(expr, Read) or not isinstance(expr.access, isl.MultiAff):
            return None
        affs = [_plain(expr.access.get_aff(i), s, dim, interval) for i in range(expr.access.dim(isl.dim_type.out))]
        return replace(expr, access=islx.multi_aff(s.space(), expr.array, affs))

    rebuilt = replace(rebuild_statement(s, visit), domain=islx.name_dims(domain, s.dims))
    return rebuilt if name == s.name else rename_statement(rebuilt, name)


def _plain(aff: isl.Aff, s: Statement, dim: str, interval: tuple[int, int]) -> isl.Aff:
    """An index without the quotients that are one number on an interval."""
    value = Affine.from_aff(aff, s.dims)
    result = Affine((), value.constant)
    for atom, factor in value.terms:
        term = Affine(((atom, factor),), 0)
        if isinstance(atom, FloorDiv) and _follows(atom, dim):
            ends = {atom.numerator.evaluate({dim: e}) // atom.divisor for e in interval}
            term = Affine.of(ends.pop() * factor) if len(ends) == 1 else term
        result = result + term
    return result.to_aff(s.space(), islx.positions(s.params(), s.dims))
