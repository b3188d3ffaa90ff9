"""Dropping dimensions that an equality pins: S[i, k] with k = i + 1 is a statement in i alone."""

from __future__ import annotations

import islpy as isl

from polyad import islx
from polyad.ir.affine import Affine, Atom
from polyad.ir.statement import Statement

__all__ = ["drop_pinned"]


def drop_pinned(statement: Statement) -> Statement:
    """The same equation without the dimensions that the others and the sizes determine by an equality.

    Such dimensions come from reads of single elements (h[T, b]), of diagonals (x[i, i]) and from one-hot seeds. The
    last of the dimensions in an equality goes; strides (2 k = i) stay as they are.
    """
    while (found := _pinned(statement)) is not None:
        statement = _without(statement, *found)
    return statement


def _pinned(statement: Statement) -> tuple[int, isl.Aff] | None:
    """(dimension, its value over { S[s] } in terms of the others), or None."""
    pieces = islx.basic_sets(statement.domain)
    if len(pieces) != 1:
        return None
    n = len(statement.dims)
    for constraint in pieces[0].get_constraints():
        if not constraint.is_equality():
            continue
        if any(constraint.involves_dims(isl.dim_type.div, i, 1) for i in range(pieces[0].dim(isl.dim_type.div))):
            continue
        for dim in reversed(range(n)):
            coefficient = constraint.get_coefficient_val(isl.dim_type.set, dim)
            if coefficient.is_one() or coefficient.is_negone():
                # 0 = c dim + others, c = +-1, so dim = -c others.
                others = _others(constraint, dim, statement)
                return dim, others.neg() if coefficient.is_one() else others
    return None


def _others(constraint: isl.Constraint, dim: int, statement: Statement) -> isl.Aff:
    """The constraint without dimension `dim`, over { S[s] }; it involves no division, though its set may have some."""
    params = statement.params()
    names = [*((isl.dim_type.param, i, p) for i, p in enumerate(params))]
    names += [(isl.dim_type.set, i, d) for i, d in enumerate(statement.dims) if i != dim]
    terms: dict[Atom, int] = {n: int(constraint.get_coefficient_val(kind, i).to_python()) for kind, i, n in names}
    affine = Affine.build(terms, int(constraint.get_constant_val().to_python()))
    return affine.to_aff(statement.space(), islx.positions(params, statement.dims))


def _without(statement: Statement, dim: int, value: isl.Aff) -> Statement:
    dims = statement.dims[:dim] + statement.dims[dim + 1 :]
    params = statement.params()
    space = islx.space(params, statement.name, dims)
    local = isl.LocalSpace.from_space(space)
    kept = [isl.Aff.var_on_domain(local, isl.dim_type.set, i) for i in range(len(dims))]
    # `value` does not depend on `dim`, so any number may stand in its place.
    nothing = isl.Aff.zero_on_domain(local)
    partly = islx.multi_aff(space, statement.name, [*kept[:dim], nothing, *kept[dim:]])
    pinned = value.pullback_multi_aff(partly)
    change = islx.multi_aff(space, statement.name, [*kept[:dim], pinned, *kept[dim:]])
    domain = statement.domain.preimage_multi_aff(change)
    return statement.change_space(statement.name, dims, domain, change)
