"""prod: the derivative with respect to one factor is the product of the others, also where factors are zero.

    a[i] *= x[i, k]      gives      before[i, k] = before[i, k - 1] * x[i, k - 1],   before[i, first] = 1
                                    after[i, k]  = after[i, k + 1] * x[i, k + 1],    after[i, last] = 1
                                    factor of S[i, k]:  before[i, k] * after[i, k]

Nothing is divided. A product over several dimensions is a product of products; the product of several statements on one
array (its definition among them) has the other statements' products as further factors. The primal stays as it is: all
that is needed stands in statements of its own.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

import islpy as isl

from polyad import islx
from polyad.ad.instance_array import instance_array
from polyad.ad.names import Names
from polyad.ad.transpose_access import fibre_dims
from polyad.errors import DifferentiationError
from polyad.ir.array import Array
from polyad.ir.expr import Access, Const, Expr, Read, pullback
from polyad.ir.program import Program
from polyad.ir.statement import Statement
from polyad.ops import apply, const
from polyad.transforms.rewrite.rename import redirect_access, rename_statement

__all__ = ["resolve_product"]


def resolve_product(program: Program, array: str) -> tuple[Program, dict[str, Expr]]:
    """The statements that compute the products of the others, and the factors of the statements that write `array`.

    Raises:
        DifferentiationError: the factors of an element are not a contiguous range in each reduced dimension.
    """
    work = _Products(program)
    writers = [s for s in program.statements if s.array == array]
    factors: dict[str, Expr] = {}
    parts = {s.name: work.part(s) for s in writers} if len(writers) > 1 else {}
    for s in writers:
        factor = work.others(s)
        for name, part in parts.items():
            if name != s.name:
                factor = apply("mul", factor, Read(part.name, redirect_access(s.write, part.name), part.dtype))
        if not isinstance(factor, Const):
            factors[s.name] = factor
    return work.result(), factors


class _Products:
    """A program that grows by the statements and arrays of products of the others."""

    def __init__(self, program: Program):
        self.program = program
        self.names = Names(program)

    def result(self) -> Program:
        """The program with all that was added."""
        return self.program

    def add(self, array: Array, *statements: Statement) -> None:
        """Add statements, and the array they write."""
        arrays = {**self.program.arrays, array.name: array}
        self.program = replace(self.program, arrays=arrays, statements=(*self.program.statements, *statements))

    def part(self, statement: Statement) -> Array:
        """An array with the product of the values of one statement only; 1 where it has none."""
        whole = self.program.arrays[statement.array]
        part = replace(whole.with_role("temporary"), name=self.names.array(f"{whole.name}_part"))
        own = replace(statement, array=part.name, write=redirect_access(statement.write, part.name), reduction="prod")
        self.add(part, rename_statement(own, self.names.statement(f"{statement.name}_part")))
        return part

    def others(self, statement: Statement) -> Expr:
        """Over { S[s] }: the product of what the other instances of the statement give to the element of s."""
        assert isinstance(statement.write, isl.MultiAff)
        reduced = fibre_dims(statement.write, statement.domain, self.program.context)
        if statement.reduction is None or not reduced:
            return const(1, statement.body.dtype)
        if len(reduced) == 1:
            return self.neighbours(statement, reduced)
        outer, dropped = self.outer(statement, reduced[-1])
        return apply("mul", self.neighbours(statement, reduced), pullback(self.others(outer), dropped))

    def outer(self, statement: Statement, k: int) -> tuple[Statement, isl.MultiAff]:
        """For a[w(s)] *= f(s, k): the equation a[w(s)] *= part[s], with part[s] *= f(s, k) added to the program.

        Returns:
            (the outer equation, which is not added, { S[s, k] -> S_outer[s] }).
        """
        write = statement.write
        assert isinstance(write, isl.MultiAff)
        if write.involves_dims(isl.dim_type.in_, k, 1):
            raise _refusal(statement, f"{statement.dims[k]!r} runs along a product and also chooses its element")
        dims = statement.dims[:k] + statement.dims[k + 1 :]
        name = self.names.statement(f"{statement.name}_outer")
        space = islx.space(self.program.params, name, dims)
        dropped = islx.projection(statement.space(), space, [c for c in range(len(statement.dims)) if c != k])
        local = isl.LocalSpace.from_space(space)
        values = [isl.Aff.var_on_domain(local, isl.dim_type.set, i) for i in range(len(dims))]
        # The write does not depend on k, so any number may stand in its place.
        values.insert(k, isl.Aff.zero_on_domain(local))
        write = write.pullback_multi_aff(islx.multi_aff(space, statement.name, values))
        domain = islx.name_dims(statement.domain.apply(dropped.as_map()), dims)
        nothing = const(1, statement.body.dtype)
        outer = Statement(name, dims, domain, statement.array, write, nothing, "prod", statement.where)
        part, access = instance_array(outer, self.names.array(f"{statement.array}_part"), nothing.dtype, self.program)
        inner = replace(statement, array=part.name, write=access.pullback_multi_aff(dropped))
        self.add(part, rename_statement(inner, self.names.statement(f"{statement.name}_part")))
        return replace(outer, body=Read(part.name, access, part.dtype)), dropped

    def neighbours(self, statement: Statement, reduced: Sequence[int]) -> Expr:
        """The product of the values that its element gets before and after each instance along the last dimension."""
        k = reduced[-1]
        factor: Expr = const(1, statement.body.dtype)
        for label, step in (("before", -1), ("after", 1)):
            name = self.names.array(f"{statement.array}_{label}")
            array, access = instance_array(statement, name, statement.body.dtype, self.program)
            here = Read(array.name, access, array.dtype)
            neighbour = _shift(statement, k, step)  # { S[s] -> S[s + step e_k] }
            inside = statement.domain.intersect(statement.domain.preimage_multi_aff(neighbour))
            inside = inside.intersect(_one_element(statement, neighbour)).coalesce()
            ends = statement.domain.subtract(inside).coalesce()
            if not _one_end(ends.intersect_params(self.program.context), statement.write, reduced[:-1]):
                raise _refusal(
                    statement, f"the values of one element are not a contiguous range of {statement.dims[k]!r}"
                )
            carried = apply("mul", pullback(here, neighbour), pullback(statement.body, neighbour))
            pieces = []
            for domain, body in ((ends, const(1, array.dtype)), (inside, carried)):
                piece = replace(statement, domain=islx.name_dims(domain, statement.dims), body=body)
                piece = replace(piece, array=array.name, write=access, reduction=None)
                pieces.append(rename_statement(piece, self.names.statement(array.name)))
            self.add(array, *pieces)
            factor = apply("mul", factor, here)
        return factor


def _shift(statement: Statement, k: int, step: int) -> isl.MultiAff:
    space = statement.space()
    shift = islx.identity(space)
    return shift.set_aff(k, shift.get_aff(k).add_constant_val(isl.Val(step)))


def _one_element(statement: Statement, neighbour: isl.MultiAff) -> isl.Set:
    """{ S[s] : s and its neighbour give to one element }."""
    write = statement.write
    assert isinstance(write, isl.MultiAff)
    here, there = write, write.pullback_multi_aff(neighbour)
    same = isl.Set.universe(statement.space())
    for i in range(write.dim(isl.dim_type.out)):
        same = same.intersect(here.get_aff(i).eq_set(there.get_aff(i)))
    return same


def _one_end(ends: isl.Set, write: Access, outer: Sequence[int]) -> bool:
    """Whether an element has one instance without a neighbour for each value of the outer dimensions of its product.

    Then neighbours lead from it to all that are multiplied there: else some of them would be left out.
    """
    assert isinstance(write, isl.MultiAff)
    elements = write.as_map().intersect_domain(ends)
    space = ends.get_space()
    local = isl.LocalSpace.from_space(space)
    chosen = islx.multi_aff(space, "", [isl.Aff.var_on_domain(local, isl.dim_type.set, c) for c in outer]).as_map()
    return bool(elements.flat_range_product(chosen).is_injective())


def _refusal(statement: Statement, reason: str) -> DifferentiationError:
    return DifferentiationError(
        f"{statement.where or statement.name}: no products of the others for {statement.name} on {statement.domain}: "
        f"{reason}; write the product as nested products over contiguous ranges, one dimension each"
    )
