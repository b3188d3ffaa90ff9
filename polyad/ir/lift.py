"""More dimensions for statements and for the arrays they are about: directions of a Jacobian, examples of a batch.

The array a[i, j] becomes A[i, e..., j], one a for every point e of some extents, and the statement S[s] becomes
S[e..., s], in which { S[s] -> a[r(s)] } becomes { S[e..., s] -> A[r(s) with e in its place] }. An access to an
array that has no more dimensions than before says nothing of e. An equation knows of dimensions in its domain and its
accesses alone: one rule serves definitions and contributions, reductions, gathers and scatters, and all operators.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace

import islpy as isl

from polyad import islx
from polyad.ir.affine import Affine
from polyad.ir.array import Array
from polyad.ir.expr import Access, Expr, Index, Indirect, Read, map_expr
from polyad.ir.indirect import indirect_access
from polyad.ir.names import distinct_dims
from polyad.ir.statement import Statement

__all__ = ["Lifted", "lift", "lift_access", "lift_array", "lift_dims", "lift_with_arrays"]


@dataclass(frozen=True, slots=True)
class Lifted:
    """An array with more dimensions.

    Attributes:
        array: the array with them.
        place: in front of which dimension of the former array they stand.
    """

    array: Array
    place: int = 0


def lift_array(array: Array, name: str, extents: Sequence[Affine], place: int = 0) -> Lifted:
    """One `array` for each point of the extents."""
    shape = (*array.shape[:place], *extents, *array.shape[place:])
    return Lifted(replace(array, name=name, shape=shape), place)


def lift_dims(dims: Sequence[str], wanted: Sequence[str], params: Sequence[str], at: int = 0) -> tuple[str, ...]:
    """[e..., s] for the names s, or e further back: the names that are wanted, where they are free."""
    return (*dims[:at], *distinct_dims(wanted, (*params, *dims)), *dims[at:])


def lift(
    statement: Statement, extents: Sequence[Affine], wanted: Sequence[str], params: tuple[str, ...], at: int = 0
) -> Statement:
    """{ S[e..., s] } in place of { S[s] }, for all points e of the extents; accesses stay what they are.

    Args:
        statement: over the parameters `params`.
        extents: those of e, expressions of the parameters.
        wanted: names for e.
        params: all sizes.
        at: in front of which dimension of s they stand.
    """
    if not extents:
        return statement
    dims, end = lift_dims(statement.dims, wanted, params, at), at + len(extents)
    space = islx.space(params, statement.name, dims)
    change = islx.projection(space, statement.space(), [*range(at), *range(end, len(dims))])
    inside = _inside(space, dict(zip(dims[at:end], extents, strict=True)), params, dims)
    domain = statement.domain.preimage_multi_aff(change).intersect(inside)
    return statement.change_space(statement.name, dims, domain, change)


def lift_access(access: Access, space: isl.Space, lifted: Lifted, count: int, at: int = 0) -> Access:
    """{ S[e..., s] -> A[r(s) with e in its place] } for the access { S[e..., s] -> a[r(s)] }.

    Args:
        access: to the array without these dimensions.
        space: { S[e..., s] }.
        lifted: the array with them.
        count: how many there are.
        at: the number of the first of them in the space.
    """
    array, place = lifted.array, lifted.place
    local = isl.LocalSpace.from_space(space)
    new = [isl.Aff.var_on_domain(local, isl.dim_type.set, i) for i in range(at, at + count)]
    if isinstance(access, Indirect):
        params = [str(space.get_dim_name(isl.dim_type.param, i)) for i in range(space.dim(isl.dim_type.param))]
        index = (*access.index[:place], *map(Index, new), *access.index[place:])
        return indirect_access(array, index, space, params)
    affs = [access.get_aff(i) for i in range(access.dim(isl.dim_type.out))]
    return islx.multi_aff(space, array.name, [*affs[:place], *new, *affs[place:]])


def lift_with_arrays(
    statement: Statement,
    arrays: Mapping[str, Lifted],
    extents: Sequence[Affine],
    wanted: Sequence[str],
    params: tuple[str, ...],
) -> Statement:
    """The equation for all points of the extents; they stand among its dimensions as they do in the array it writes.

    Args:
        statement: writes one of `arrays`; over the parameters `params`.
        arrays: the arrays that have these dimensions, by the names they have in the statement.
        extents: those of the new dimensions.
        wanted: names for them.
        params: all sizes.
    """
    count = len(extents)
    target = arrays[statement.array]
    at = _dims_before(statement.write, target.place)
    s = lift(statement, extents, wanted, params, at)

    def leaf(expr: Expr) -> Expr:
        if isinstance(expr, Read) and expr.array in arrays:
            lifted = arrays[expr.array]
            return Read(lifted.array.name, lift_access(expr.access, s.space(), lifted, count, at), expr.dtype)
        return expr

    write = s.write
    if isinstance(write, Indirect):
        write = Indirect(tuple(map_expr(i, leaf) for i in write.index), write.may)
    write = lift_access(write, s.space(), target, count, at)
    return replace(s, array=target.array.name, write=write, body=map_expr(s.body, leaf))


def _dims_before(write: Access, place: int) -> int:
    """How many leading dimensions of a statement count the leading dimensions of the array it writes, up to a place."""
    at = 0
    if isinstance(write, isl.MultiAff):
        most = min(place, write.dim(isl.dim_type.in_))
        while at < most and write.get_aff(at).involves_dims(isl.dim_type.in_, at, 1):
            at += 1
    return at


def _inside(space: isl.Space, extents: Mapping[str, Affine], params: Sequence[str], dims: Sequence[str]) -> isl.Set:
    """{ S[...] : 0 <= e < extent } for the dimensions e that have an extent."""
    where = islx.positions(params, dims)
    zero = isl.Aff.zero_on_domain(isl.LocalSpace.from_space(space))
    result = isl.Set.universe(space)
    for dim, extent in extents.items():
        index = Affine.of(dim)
        for bound in (index, extent - 1 - index):
            result = result.intersect(bound.to_aff(space, where).ge_set(zero))
    return result
