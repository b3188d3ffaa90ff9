"""Extra leading dimensions: one derivative per direction, all of them in the same equations (Jacobians).

With directions of extents (P, Q), every derivative array has the shape (P, Q, *shape), and the statement S[s] has the
derivative statement S[d0, d1, s]. Without directions nothing here changes anything.
"""

from __future__ import annotations

from collections.abc import Sequence

import islpy as isl

from polyad import islx
from polyad.ir.affine import Affine
from polyad.ir.array import Array
from polyad.ir.expr import Access, Index, Indirect
from polyad.ir.indirect import indirect_access
from polyad.ir.names import distinct_dims
from polyad.ir.statement import Statement
from polyad.transforms.rewrite.rename import redirect_access

__all__ = ["Directions", "derivative_access", "derivative_dims", "diagonal", "lift"]

Directions = tuple[Affine, ...]
"""Extents of the leading dimensions."""


def lift(statement: Statement, directions: Directions, params: tuple[str, ...]) -> Statement:
    """{ S[d..., s] } in place of { S[s] }, for all directions d."""
    if not directions:
        return statement
    names = derivative_dims(statement.dims, directions, params)[: len(directions)]
    dims = names + statement.dims
    space = islx.space(params, statement.name, dims)
    change = islx.projection(space, statement.space(), range(len(names), len(dims)))
    domain = statement.domain.preimage_multi_aff(change).intersect(_inside(space, directions, params, dims))
    return statement.change_space(statement.name, dims, domain, change)


def derivative_dims(dims: tuple[str, ...], directions: Directions, params: Sequence[str]) -> tuple[str, ...]:
    """[d..., s] for the names s."""
    return distinct_dims((f"d{i}" for i in range(len(directions))), (*params, *dims)) + dims


def derivative_access(access: Access, space: isl.Space, array: Array, directions: Directions) -> Access:
    """{ S[d..., s] -> a_bar[d..., r(s)] } for the lifted access { S[d..., s] -> a[r(s)] }.

    Args:
        access: the access to the primal array.
        space: { S[d..., s] }.
        array: the derivative array.
        directions: extents of d.
    """
    if not directions:
        return redirect_access(access, array.name)
    local = isl.LocalSpace.from_space(space)
    leading = [isl.Aff.var_on_domain(local, isl.dim_type.set, i) for i in range(len(directions))]
    if isinstance(access, Indirect):
        n = space.dim(isl.dim_type.param)
        params = [str(space.get_dim_name(isl.dim_type.param, i)) for i in range(n)]
        return indirect_access(array, (*map(Index, leading), *access.index), space, params)
    affs = [access.get_aff(i) for i in range(access.dim(isl.dim_type.out))]
    return islx.multi_aff(space, array.name, leading + affs)


def diagonal(array: Array, directions: Directions, params: tuple[str, ...]) -> isl.Set:
    """{ a_bar[d..., i...] : d = i } within an array of shape (directions, directions)."""
    domain = array.domain(params)
    n = len(directions)
    for i in range(n):
        domain = domain.equate(isl.dim_type.set, i, isl.dim_type.set, n + i)
    return domain


def _inside(space: isl.Space, directions: Directions, params: Sequence[str], dims: Sequence[str]) -> isl.Set:
    where = islx.positions(params, dims)
    zero = isl.Aff.zero_on_domain(isl.LocalSpace.from_space(space))
    result = isl.Set.universe(space)
    for dim, extent in zip(dims, directions, strict=False):
        index = Affine.of(dim)
        for bound in (index, extent - 1 - index):
            result = result.intersect(bound.to_aff(space, where).ge_set(zero))
    return result
