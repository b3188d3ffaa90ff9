"""Triangles with stairs: what sums products over a triangle does so over rectangles, one for each block of rows.

    o[i, d] += p[i, j] * v[j, d]     j <= i

is no box, but with zeros in p right of the diagonal, as far as the end of the block that i is in, it is one for each
block of rows:

    o[i, d] += p[i, j] * v[j, d]     j <= 64 * (i // 64) + 63

A triangle of few rows becomes the whole rectangle. Where it is the result that is a triangle, nobody reads what is
computed beyond it. What is added are products with zero: the results are the same unless the other operand holds an
infinity or a NaN there (docs/decisions/0014).

What must hold (widening.py proves it): the new instances read what has a value, with indices that are whole numbers,
and make no cycle; either one operand is zero there, in elements that nobody writes, or nobody reads what they add to.
An input has no place for zeros: the triangle that is read of it is copied next to some. A result beside which there are
values is computed in an array of its own, from which its triangle is added.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace

import islpy as isl

from polyad import islx
from polyad.analysis.contraction import matrix_product_of
from polyad.analysis.counting import cardinality
from polyad.ir.array import Array
from polyad.ir.expr import Const, Read, access_relation
from polyad.ir.names import unique_name
from polyad.ir.program import Program
from polyad.ir.statement import Reduction, Statement
from polyad.machine import MACHINE, Machine
from polyad.transforms.rewrite.fold import rebuild_statement, replacing
from polyad.transforms.rewrite.identity_definition import identity_definitions
from polyad.transforms.rewrite.widening import Values, Widening

__all__ = ["is_box_in_blocks", "pad_triangles"]


def pad_triangles(program: Program, machine: Machine = MACHINE) -> Program:
    """Let contractions over triangles run over stairs, where what that adds is zero or is not read.

    Makes larger: the number of multiplications, by half a block for each row; makes smaller: the number of loops that
    are no product of matrices.

    Args:
        program: with explicit identity definitions (transforms.initialise).
        machine: says how many rows a block has, and from how many rows on it pays.
    """
    found = [stairs for s in program.statements if (stairs := _stairs(program, s, machine)) is not None]
    if not found:
        return program
    padding = _Padding(program)
    taken = {s.statement.name: s for s in found if padding.zero_operand(s)}
    taken |= {s.statement.name: s for s in found if s.statement.name not in taken and padding.unread_result(s)}
    beside = {s.statement.name: made for s in found if s.statement.name not in taken if (made := padding.apart(s))}
    if not taken and not beside:
        return program
    statements: list[Statement] = []
    for s in program.statements:
        if s.name in beside:
            statements += beside[s.name]
        else:
            statements.append(replace(s, domain=taken[s.name].domain) if s.name in taken else padding.widened(s))
    zeros = padding.zeros({s.name for s in statements})
    return replace(program, arrays=padding.arrays).with_statements([*zeros, *statements])


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
        whole = wide.is_equal(box)
        if _is_much_of(domain, box, machine) if whole else is_box_in_blocks(wide, free, blocked, machine.stair):
            return Widening(s, islx.name_dims(wide, s.dims), wide.subtract(domain))
    return None


def _is_much_of(domain: isl.Set, box: isl.Set, machine: Machine) -> bool:
    """Whether a domain has so many of the points of a box that products of the whole box are faster."""
    sizes = dict.fromkeys(islx.param_names(domain), machine.stair)
    return 0 < cardinality(box, sizes) <= machine.box_growth * cardinality(domain, sizes)


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
        self.arrays = dict(program.arrays)
        self.copies: dict[str, tuple[str, isl.Set]] = {}  # copy -> (input, { input[e] } that are copied)

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

    def apart(self, stairs: Widening) -> list[Statement] | None:
        """A product of an input, or for a result, that has no place for zeros: with an array that has; None if none."""
        return self.with_copy(stairs) or self.in_a_box(stairs)

    def with_copy(self, stairs: Widening) -> list[Statement] | None:
        """The product with the part that is read of an input copied next to zeros."""
        s = stairs.statement
        for operand in s.reads():
            zeros, values = stairs.touches(operand), s.domain.apply(access_relation(operand.access)).coalesce()
            if operand.array not in self.program.inputs or not zeros.is_disjoint(values):
                continue
            if not zeros.is_subset(self.program.arrays[operand.array].domain(self.program.params)):
                continue  # beyond its border: pad_operands.py
            if not self.values.proves(stairs, operand.access):
                continue
            made, copy = self._copy(operand.array, values, zeros)
            assert isinstance(operand.access, isl.MultiAff)
            read = Read(copy, operand.access.set_tuple_name(isl.dim_type.out, copy), operand.dtype)
            return [*made, replace(rebuild_statement(s, replacing((operand, read))), domain=stairs.domain)]
        return None

    def _copy(self, array: str, values: isl.Set, zeros: isl.Set) -> tuple[list[Statement], str]:
        """(what makes it, the name of a copy of an input): one for all that read the same part of it."""
        for copy, (copied, part) in self.copies.items():
            known = self.padded[copy].set_tuple_name(array)
            if copied == array and part.is_equal(values) and known.is_equal(zeros):
                return [], copy
        whole = self.program.arrays[array]
        copy = unique_name(f"{array}_part", {*self.arrays, *(s.name for s in self.program.statements)})
        self.arrays[copy] = Array(copy, whole.shape, whole.dtype)
        self.copies[copy] = array, values
        self.padded[copy] = zeros.set_tuple_name(copy)
        return [self._moved(copy, values, self.arrays[array], self.arrays[copy], None)], copy

    def in_a_box(self, stairs: Widening) -> list[Statement] | None:
        """The product in an array of its own, from which what was asked for is added to the result."""
        s, whole = stairs.statement, self.program.arrays[stairs.statement.array]
        if s.reduction != "sum" or not isinstance(s.write, isl.MultiAff) or whole.segment is not None:
            return None
        elements = stairs.domain.apply(s.write.as_map()).coalesce()
        asked = s.domain.apply(s.write.as_map()).coalesce()
        if not asked.is_disjoint(stairs.writes()):
            return None
        if not self.values.proves(stairs, s.write) or not elements.is_subset(whole.domain(self.program.params)):
            return None
        taken = {*self.arrays, *(t.name for t in self.program.statements)}
        box = Array(unique_name(f"{whole.name}_box", taken), whole.shape, whole.dtype)
        self.arrays[box.name] = box
        params, elements = self.program.params, elements.set_tuple_name(box.name)
        starts = identity_definitions(box, "sum", elements, params, box.dims(params), {*taken, box.name})
        write = s.write.set_tuple_name(isl.dim_type.out, box.name)
        product = replace(s, array=box.name, write=write, domain=stairs.domain)
        name = unique_name(f"{s.name}_{box.name}", {*taken, *(t.name for t in starts)})
        return [*starts, product, self._moved(name, asked, box, whole, "sum")]

    def _moved(
        self, name: str, elements: isl.Set, source: Array, target: Array, reduction: Reduction | None
    ) -> Statement:
        """target[e] = source[e], or a contribution, for some elements."""
        dims = source.dims(self.program.params)
        domain = islx.name_dims(elements.set_tuple_name(name).intersect_params(self.program.context), dims)
        identity = islx.identity(islx.space(self.program.params, name, dims))
        read = Read(source.name, identity.set_tuple_name(isl.dim_type.out, source.name), source.dtype)
        write = identity.set_tuple_name(isl.dim_type.out, target.name)
        return Statement(name, dims, domain, target.name, write, read, reduction)

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
            found = self.arrays[array]
            name = unique_name(f"{array}_zeros", names)
            dims = found.dims(self.program.params)
            domain = islx.name_dims(elements.set_tuple_name(name), dims)
            space = islx.space(self.program.params, name, dims)
            write = islx.identity(space).set_tuple_name(isl.dim_type.out, array)
            yield Statement(name, dims, domain, array, write, Const(0.0, found.dtype))
