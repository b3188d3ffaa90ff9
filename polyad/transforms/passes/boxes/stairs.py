"""Triangles with stairs: what sums products over a triangle does so over rectangles, one for each block of rows.

    o[i, d] += p[i, j] * v[j, d]     j <= i

is no box, but with zeros in p right of the diagonal, as far as the end of the block that i is in, it is one for each
block of rows:

    o[i, d] += p[i, j] * v[j, d]     j <= 64 * (i // 64) + 63

Where it is the result that is a triangle, nobody reads what is computed beyond it. What is added are products with
zero: the results are the same unless the other operand holds an infinity or a NaN there (docs/decisions/0014).

What must hold (widening.py proves it): the new instances read what has a value, with indices that are whole numbers,
and make no cycle; either one operand is zero there, in elements that nobody writes, or nobody reads what they add to.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace

import islpy as isl

from polyad import islx
from polyad.analysis.contraction import matrix_product_of
from polyad.ir.expr import Const
from polyad.ir.names import unique_name
from polyad.ir.program import Program
from polyad.ir.statement import Statement
from polyad.machine import MACHINE, Machine
from polyad.transforms.rewrite.widening import Values, Widening

__all__ = ["is_box_in_blocks", "pad_triangles"]


def pad_triangles(program: Program, machine: Machine = MACHINE) -> Program:
    """Let contractions over triangles run over stairs, where what that adds is zero or is not read.

    Makes larger: the number of multiplications, by half a block for each row; makes smaller: the number of loops that
    are no product of matrices.

    Args:
        program: with explicit identity definitions (transforms.initialise).
        machine: says how many rows a block has, and from how many rows on stairs save work.
    """
    found = [stairs for s in program.statements if (stairs := _stairs(program, s, machine)) is not None]
    if not found:
        return program
    padding = _Padding(program)
    taken = {s.statement.name: s for s in found if padding.zero_operand(s)}
    taken |= {s.statement.name: s for s in found if s.statement.name not in taken and padding.unread_result(s)}
    if not taken:
        return program
    statements: list[Statement] = []
    for s in program.statements:
        statements.append(replace(s, domain=taken[s.name].domain) if s.name in taken else padding.widened(s))
    return program.with_statements([*padding.zeros({s.name for s in statements}), *statements])


def is_box_in_blocks(domain: isl.Set, free: Sequence[int], blocked: int, rows: int) -> bool:
    """Whether in each block of one dimension the free dimensions, it among them, range independently of each other."""
    block = _blocks(domain.get_space(), blocked, rows).get_aff(blocked)
    inside = isl.Map.from_aff(block).intersect_domain(domain).wrap().flatten()  # { [dims, block] }
    return islx.is_box(inside, free)


def _blocks(space: isl.Space, blocked: int, rows: int) -> isl.MultiAff:
    """{ S[dims] -> S[dims] }: one dimension as the number of its block, the others as they are."""
    result = isl.MultiAff.identity_on_domain_space(space)
    size = isl.Val(rows)
    return result.set_aff(blocked, result.get_aff(blocked).scale_down_val(size).floor())


def _stairs(program: Program, s: Statement, machine: Machine) -> Widening | None:
    """The stairs of a product of matrices over a triangle; None where it is none, or too small."""
    found = matrix_product_of(s)
    if found is None:
        return None
    domain = s.domain.intersect_params(program.context)
    free = [i for i, d in enumerate(s.dims) if d not in found.batch]
    box = islx.box(domain, free)
    if domain.is_empty() or box.is_subset(domain):
        return None
    for blocked in (i for i, d in enumerate(s.dims) if d in found.rows | found.columns):
        extent = islx.extent(domain, blocked)
        if extent is not None and extent < machine.stairs:
            continue
        blocks = isl.Map.from_multi_aff(_blocks(domain.get_space(), blocked, machine.stair))
        mates = blocks.apply_range(blocks.reverse())
        wide = domain.apply(mates).intersect(box).coalesce()
        if not wide.is_equal(box) and is_box_in_blocks(wide, free, blocked, machine.stair):
            return Widening(s, islx.name_dims(wide, s.dims), wide.subtract(domain))
    return None


def _last_rounded(elements: isl.Set) -> int:
    """The last dimension that is rounded to blocks in how a set is written: loops over it like outer ones better."""
    last = -1
    for part in islx.basic_sets(elements.compute_divs()):
        local = part.get_local_space()
        for i in range(local.dim(isl.dim_type.div)):
            div = local.get_div(i)
            last = max(
                [last, *(d for d in range(elements.dim(isl.dim_type.set)) if div.involves_dims(isl.dim_type.in_, d, 1))]
            )
    return last


class _Padding:
    """The elements that get zeros, collected while contractions ask for them."""

    def __init__(self, program: Program) -> None:
        self.program = program
        self.values = Values(program)
        self.padded = self.values.zeros  # array -> { array[e] } that get zeros

    def zero_operand(self, stairs: Widening) -> bool:
        """Whether zeros in one operand make the new instances add nothing; if so, the zeros are noted."""
        for operand in stairs.statement.reads():
            elements = stairs.touches(operand)
            if self.is_free(operand.array, elements) and self.values.proves(stairs, operand.access):
                self.pad(operand.array, elements)
                return True
        return False

    def unread_result(self, stairs: Widening) -> bool:
        """Whether the new instances add to elements that do not exist yet; if so, these get zeros to start from."""
        elements, array = stairs.writes(), stairs.statement.array
        if not self.is_free(array, elements) or array in self.padded:
            return False
        if not self.values.proves(stairs, stairs.statement.write):
            return False
        self.pad(array, elements)
        return True

    def pad(self, array: str, elements: isl.Set) -> None:
        known = self.padded.get(array, elements)
        if known.is_equal(elements):
            self.padded[array] = min(known, elements, key=_last_rounded)
        else:
            self.padded[array] = known.union(elements).coalesce()

    def is_free(self, array: str, elements: isl.Set) -> bool:
        """Whether elements belong to a temporary, and nothing gives them a value."""
        found = self.program.arrays[array]
        if not found.is_temporary or found.is_recomputed:
            return False
        written = self.values.written.get(array)
        inside = elements.is_subset(found.domain(self.program.params))
        return bool(inside and (written is None or written.is_disjoint(elements)))

    def widened(self, s: Statement) -> Statement:
        """A definition that fills with zeros, also where more zeros are needed."""
        padded = self.padded.get(s.array)
        is_zero = isinstance(s.body, Const) and s.reduction is None and float(s.body.value) == 0.0
        if padded is None or not is_zero or not isinstance(s.write, isl.MultiAff):
            return s
        write = s.write.as_map()
        if not write.is_bijective():
            return s
        domain = s.domain.union(padded.apply(write.reverse())).intersect_params(self.program.context).coalesce()
        if domain.n_basic_set() != 1:
            return s
        del self.padded[s.array]
        return replace(s, domain=islx.name_dims(domain, s.dims))

    def zeros(self, names: set[str]) -> Iterator[Statement]:
        """The definitions of all other zeros."""
        for array, elements in self.padded.items():
            found = self.program.arrays[array]
            name = unique_name(f"{array}_zeros", names)
            dims = found.dims(self.program.params)
            domain = islx.name_dims(elements.set_tuple_name(name), dims)
            space = islx.space(self.program.params, name, dims)
            write = islx.identity(space).set_tuple_name(isl.dim_type.out, array)
            yield Statement(name, dims, domain, array, write, Const(0.0, found.dtype))
