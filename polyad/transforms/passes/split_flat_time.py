"""Statements that count flat time are split into segments and steps, like those of a checkpointed scan.

The adjoint of the inputs of a checkpointed scan reads what its body computed, and the adjoints of that, at
[t // n, t % n]. Over t = n s + i the same equation reads [s, i], and takes its place in the loop over segments: outside
of it, it would ask for the adjoints of all steps to be kept.

What must hold: every t is one pair (s, i) with 0 <= i < n, also in a last segment that is shorter, and conditions on t
stay as conditions on the pair.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from itertools import pairwise

import islpy as isl

from polyad import islx
from polyad.ir.affine import Affine, FloorDiv
from polyad.ir.array import RECOMPUTED, Array
from polyad.ir.expr import Indirect
from polyad.ir.names import unique_name
from polyad.ir.program import Program
from polyad.ir.statement import Statement
from polyad.transforms.rewrite.map_indices import map_indices

__all__ = ["segments_of", "split_flat_time"]


def split_flat_time(program: Program) -> Program:
    """Split the time dimension of every statement that reads what segments compute at a quotient of it.

    That is a recomputed array, or another one with as many segments of as many steps: an adjoint.
    """
    again = {n for n, a in program.arrays.items() if a.segment == RECOMPUTED}
    if not again:
        return program
    segments = segments_of(program)
    beside = {n for n, a in program.arrays.items() if a.is_temporary and segments & {*_leading(a)}}
    return replace(program, statements=tuple(_split(s, again, beside) for s in program.statements))


def segments_of(program: Program) -> frozenset[tuple[Affine, Affine]]:
    """(segments, steps) of its checkpointed scans that are differentiated, and pairs next to them."""
    return frozenset(pair for a in program.arrays.values() if a.segment == RECOMPUTED for pair in _leading(a))


def _leading(array: Array) -> Iterator[tuple[Affine, Affine]]:
    """(segments, steps) that an array may have one element for; a state has one more for each segment."""
    for segments, steps in pairwise(array.shape):
        yield segments, steps
        yield segments, steps - 1


def _split(s: Statement, again: set[str], beside: set[str]) -> Statement:
    quotient = next(_quotients(s, again, beside), None)
    if quotient is None or isinstance(s.write, Indirect):
        return s
    (dim,) = quotient.numerator.names() & set(s.dims)
    sign = dict(quotient.numerator.terms)[dim]
    rest = quotient.numerator - Affine.of(dim) * sign
    segment = unique_name("s", {*s.dims, *s.params()})
    at = s.dims.index(dim)
    dims = (*s.dims[:at], segment, *s.dims[at:])
    step = Affine.of(segment) * quotient.divisor + Affine.of(dim)  # the value of the numerator
    return _over(s, dims, {dim: (step - rest) * sign}, (segment, dim, quotient.divisor))


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


def _over(s: Statement, dims: tuple[str, ...], values: dict[str, Affine], split: tuple[str, str, int]) -> Statement:
    """The statement over new dimensions, the old ones being `values` of them."""
    _, step, divisor = split
    params = s.params()
    space = islx.space(params, s.name, dims)
    where = islx.positions(params, dims)
    change = islx.multi_aff(space, s.name, [values.get(d, Affine.of(d)).to_aff(space, where) for d in s.dims])
    domain = s.domain.preimage_multi_aff(change)
    inner = Affine.of(step)
    for bound in (inner, divisor - 1 - inner):
        aff = bound.to_aff(space, where)
        domain = domain.intersect(aff.ge_set(isl.Aff.zero_on_domain(aff.get_domain_local_space())))

    def index(old: isl.Aff) -> isl.Aff:
        return _settled(Affine.from_aff(old, s.dims).substitute(values), split).to_aff(space, where)

    def may(relation: isl.Map) -> isl.Map:
        return change.as_map().apply_range(relation)

    return replace(map_indices(s, space, index, may), dims=dims, domain=islx.name_dims(domain, dims))


def _settled(affine: Affine, split: tuple[str, str, int]) -> Affine:
    """(n s + t) // n is s, where 0 <= t < n; so are its multiples."""
    segment, step, divisor = split
    result = Affine((), affine.constant)
    for atom, c in affine.terms:
        if isinstance(atom, FloorDiv) and atom.divisor == divisor:
            rest = atom.numerator - Affine.of(segment) * divisor - Affine.of(step)
            if rest == Affine():
                result = result + Affine.of(segment) * c
                continue
        result = result + Affine(((atom, c),), 0)
    return result
