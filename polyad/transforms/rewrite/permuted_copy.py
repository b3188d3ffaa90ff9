"""Copies of arrays with their dimensions in another order."""

from __future__ import annotations

from collections.abc import Sequence

import islpy as isl

from polyad import islx
from polyad.ir.array import Array
from polyad.ir.expr import Read
from polyad.ir.program import Program
from polyad.ir.statement import Statement

__all__ = ["column_last", "permutation", "permuted_copy"]


def column_last(rank: int, column: int) -> list[int]:
    """The order of dimensions in which one of them goes last."""
    return [*(i for i in range(rank) if i != column), column]


def permutation(space: isl.Space, target: str, order: Sequence[int]) -> isl.MultiAff:
    """{ [e] -> target[e in another order] }."""
    local = isl.LocalSpace.from_space(space)
    return islx.multi_aff(space, target, [isl.Aff.var_on_domain(local, isl.dim_type.set, i) for i in order])


def permuted_copy(program: Program, array: Array, target: str, label: str, move: isl.MultiAff) -> Statement:
    """target[move(e)] = array[e].

    Args:
        program: of the array.
        array: what is copied.
        target: the name of the copy.
        label: of the statement.
        move: { array[e] -> target[e'] }.
    """
    dims = array.dims(program.params)
    space = islx.space(program.params, label, dims)
    domain = array.domain(program.params).intersect_params(program.context).set_tuple_name(label)
    identity = permutation(space, array.name, list(range(len(dims))))
    read = Read(array.name, identity, array.dtype)
    return Statement(label, dims, islx.name_dims(domain, dims), target, move.pullback_multi_aff(identity), read)
