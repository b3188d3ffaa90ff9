"""Definitions of elements as the identity of their reduction."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence

import islpy as isl

from polyad import islx
from polyad.ir.array import Array
from polyad.ir.names import unique_name
from polyad.ir.program import Program
from polyad.ir.statement import Reduction, Statement
from polyad.ops import const, identity

__all__ = ["identity_definitions", "restored_identities"]


def identity_definitions(
    array: Array,
    reduction: Reduction,
    elements: isl.Set,
    params: tuple[str, ...],
    dims: tuple[str, ...],
    taken: Iterable[str],
) -> list[Statement]:
    """Statements array[e] = identity for all elements e: `z_init`, `z_init_1`, ..., one per basic set.

    Where there are no elements, one statement without instances.

    Args:
        array: what is defined.
        reduction: the reduction whose identity it is.
        elements: { array[e] }.
        params: the parameters of `elements`, in their order.
        dims: names for the dimensions of the instances.
        taken: statement names that are not free.
    """
    used = set(taken)
    result = []
    pieces = islx.basic_sets(elements.make_disjoint()) or [isl.BasicSet.empty(elements.get_space())]
    for piece in pieces:
        name = unique_name(f"{array.name}_init", used)
        used.add(name)
        domain = islx.name_dims(isl.Set.from_basic_set(piece).set_tuple_name(name), dims)
        space = islx.space(params, name, dims)
        write = islx.projection(space, elements.get_space(), list(range(len(dims))))
        body = const(identity(reduction, array.dtype), array.dtype)
        result.append(Statement(name, dims, domain, array.name, write, body))
    return result


def restored_identities(
    program: Program, statements: Sequence[Statement], dropped: Mapping[str, Reduction]
) -> list[Statement]:
    """Explicit identities for the elements of arrays that lost all their contributions and are still asked for.

    An element that nothing contributes to is the identity only while its array has a reduction at all.

    Args:
        program: the program the statements come from.
        statements: those that remain.
        dropped: array -> reduction of the contributions that were dropped.
    """
    contributed = {s.array for s in statements if s.reduction is not None}
    asked = {r.array for s in statements for r in s.reads()} | set(program.outputs)
    taken = {s.name for s in statements}
    result: list[Statement] = []
    for name, reduction in dropped.items():
        if name in asked and name not in contributed:
            array = program.arrays[name]
            elements = array.domain(program.params)
            for s in statements:
                if s.array == name:
                    elements = elements.subtract(s.write_relation().range())
            elements = elements.coalesce()
            if elements.is_empty():
                continue
            result += identity_definitions(
                array, reduction, elements, program.params, array.dims(program.params), taken
            )
    return result
