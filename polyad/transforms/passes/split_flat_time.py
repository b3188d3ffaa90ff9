"""Statements that count flat time are split into segments and steps, like those of a checkpointed scan.

The adjoint of the inputs of a checkpointed scan reads what its body computed, and the adjoints of that, at
[t // n, t % n]. Over t = n s + i the same equation reads [s, i], and takes its place in the loop over segments: outside
of it, it would ask for the adjoints of all steps to be kept. Where segments are made of segments, it reads as many
indices as there are levels, and is one over all of them.

What must hold: every t is one pair (s, i) with 0 <= i < n, also in a last segment that is shorter, and conditions on t
stay as conditions on the pair.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from itertools import pairwise

import islpy as isl

from polyad.ir.affine import Affine, FloorDiv
from polyad.ir.array import Array
from polyad.ir.expr import Indirect
from polyad.ir.program import Program
from polyad.ir.statement import Statement
from polyad.transforms.rewrite.strip_mine import by_indices, split_dimension

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
    if isinstance(s.write, Indirect):
        return s
    for read in s.reads():
        if read.array in again | beside and not isinstance(read.access, Indirect):
            counted = by_indices(s, read)
            if counted is not None:
                return _split(counted, again, beside)
    quotient = next(_quotients(s, again, beside), None)
    if quotient is None:
        return s
    (dim,) = quotient.numerator.names() & {*s.dims}
    return split_dimension(s, quotient, dim)


def _quotients(s: Statement, again: set[str], beside: set[str]) -> Iterator[FloorDiv]:
    """Divisions of one dimension, plus or minus it with an offset over sizes, in reads of recomputed arrays.

    In reads of the arrays `beside` them, what is left by the division has to be an index, too.
    """
    for read in s.reads():
        if read.array not in again | beside or isinstance(read.access, Indirect):
            continue
        indices = [Affine.from_aff(read.access.get_aff(i), s.dims) for i in range(read.access.dim(isl.dim_type.out))]
        for index in indices:
            for atom, _ in index.terms:
                if isinstance(atom, FloorDiv):
                    if read.array not in again and atom.numerator % atom.divisor not in indices:
                        continue
                    inside = atom.numerator.names() & set(s.dims)
                    terms = dict(atom.numerator.terms)
                    if len(inside) == 1 and terms.get(next(iter(inside))) in (1, -1):
                        yield atom
