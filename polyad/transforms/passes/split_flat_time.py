"""Statements that count flat time are split into segments and steps, like those of a checkpointed scan.

The adjoint of the inputs of a checkpointed scan reads what its body computed, and the adjoints of that, at
[t // n, t % n]. Over t = n s + i the same equation reads [s, i], and takes its place in the loop over segments: outside
of it, it would ask for the adjoints of all steps to be kept.

What must hold: every t is one pair (s, i) with 0 <= i < n, also in a last segment that is shorter, and conditions on t
stay as conditions on the pair.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace
from itertools import pairwise

import islpy as isl

from polyad.ir.affine import Affine, FloorDiv
from polyad.ir.array import Array
from polyad.ir.expr import Indirect
from polyad.ir.program import Program
from polyad.ir.statement import Statement
from polyad.transforms.rewrite.strip_mine import split_dimension

__all__ = ["segments_of", "split_flat_time"]


def split_flat_time(program: Program) -> Program:
    """Split the time dimension of every statement that reads what segments compute at a quotient of it.

    That is a recomputed array, or another one with as many segments of as many steps: an adjoint.
    """
    again = {n for n, a in program.arrays.items() if a.is_recomputed}
    if not again:
        return program
    segments = segments_of(program)
    beside = {n for n, a in program.arrays.items() if a.is_temporary and segments & {*_leading(a)}}
    return replace(program, statements=tuple(_split(s, again, beside) for s in program.statements))


def segments_of(program: Program) -> frozenset[tuple[Affine, Affine]]:
    """(segments, steps) of its checkpointed scans that are differentiated, and pairs next to them."""
    return frozenset(pair for a in program.arrays.values() if a.is_recomputed for pair in _leading(a))


def _leading(array: Array) -> Iterator[tuple[Affine, Affine]]:
    """(segments, steps) that an array may have one element for; a state has one more for each segment."""
    for segments, steps in pairwise(array.shape):
        yield segments, steps
        yield segments, steps - 1


def _split(s: Statement, again: set[str], beside: set[str]) -> Statement:
    found = [] if isinstance(s.write, Indirect) else list(_quotients(s, again, beside))
    if not found:
        return s
    alike = [q for q in found if q.numerator == found[0].numerator and q.divisor % found[0].divisor == 0]
    outermost = max(alike, key=lambda q: q.divisor)
    (dim,) = outermost.numerator.names() & {*s.dims}
    return _split(split_dimension(s, outermost, dim), again, beside)


def _quotients(s: Statement, again: set[str], beside: set[str]) -> Iterator[FloorDiv]:
    """Divisions of one dimension, plus or minus it with an offset over sizes, in reads of recomputed arrays.

    In reads of the arrays `beside` them, what is left by the division has to be an index, too, or the number of the
    segment in the segment that it says.
    """
    for read in s.reads():
        if read.array not in again | beside or isinstance(read.access, Indirect):
            continue
        indices = [Affine.from_aff(read.access.get_aff(i), s.dims) for i in range(read.access.dim(isl.dim_type.out))]
        found = [(atom, c) for index in indices for atom, c in index.terms if isinstance(atom, FloorDiv)]
        for atom, c in found:
            if read.array not in again and not any(rest in indices for rest in _rests(atom, [a for a, _ in found])):
                continue
            inside = atom.numerator.names() & set(s.dims)
            terms = dict(atom.numerator.terms)
            if len(inside) == 1 and terms.get(next(iter(inside))) in (1, -1):
                # -((-t - 1) // n) - 1 is t // n: segments are counted as the recurrence counts them
                yield atom if c > 0 else FloorDiv(-atom.numerator - 1, atom.divisor)


def _rests(atom: FloorDiv, atoms: Sequence[FloorDiv]) -> Iterator[Affine]:
    """t % n of t // n, and (t % n) // m where segments of n are made of segments of m; both from either end."""
    whole = atom.numerator // atom.divisor
    finer = [a for a in atoms if a.numerator == atom.numerator and a != atom and atom.divisor % a.divisor == 0]
    for count, rest in (
        (atom.divisor, atom.numerator % atom.divisor),
        *((n, atom.numerator // a.divisor - whole * n) for a in finer for n in [atom.divisor // a.divisor]),
    ):
        yield rest
        yield count - 1 - rest
