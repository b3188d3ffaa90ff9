"""A statement's instances seen without some of its dimensions."""

from __future__ import annotations

from collections.abc import Sequence

import islpy as isl

from polyad import islx
from polyad.ir.affine import Affine
from polyad.ir.statement import Statement

__all__ = ["without_dims"]


def without_dims(statement: Statement, name: str, used: Sequence[int]) -> tuple[isl.Set, isl.MultiAff]:
    """{ name[used dims] }, the instances of a statement without its other dimensions, and a map back.

    Args:
        statement: any statement.
        name: of what runs there.
        used: the columns that stay, ascending.

    Returns:
        The domain, and { name[used dims] -> S[dims] } that gives 0 to the other dimensions: for what does not use them.
    """
    dims = tuple(statement.dims[c] for c in used)
    domain = statement.domain
    for c in reversed(range(len(statement.dims))):
        if c not in used:
            domain = domain.project_out(isl.dim_type.set, c, 1)
    params = statement.params()
    space, where = islx.space(params, name, dims), islx.positions(params, dims)
    old = [Affine.of(d) if c in used else Affine.of(0) for c, d in enumerate(statement.dims)]
    change = islx.multi_aff(space, statement.name, [o.to_aff(space, where) for o in old])
    return islx.name_dims(domain.set_tuple_name(name), dims), change
