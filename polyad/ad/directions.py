"""Extra leading dimensions: one derivative per direction, all of them in the same equations (Jacobians).

With directions of extents (P, Q), every derivative array has the shape (P, Q, *shape), and the statement S[s] has the
derivative statement S[d0, d1, s]. Without directions nothing here changes anything.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import islpy as isl

from polyad.ir.affine import Affine
from polyad.ir.array import Array
from polyad.ir.expr import Access
from polyad.ir.lift import Lifted, lift, lift_access, lift_dims, lift_with_arrays
from polyad.ir.statement import Statement
from polyad.transforms.rewrite.rename import redirect_access

__all__ = ["Directions", "derivative_access", "derivative_dims", "diagonal", "for_directions", "whole_for_directions"]

Directions = tuple[Affine, ...]
"""Extents of the leading dimensions."""


def _names(directions: Directions) -> list[str]:
    return [f"d{i}" for i in range(len(directions))]


def for_directions(statement: Statement, directions: Directions, params: tuple[str, ...]) -> Statement:
    """{ S[d..., s] } in place of { S[s] }, for all directions d."""
    return lift(statement, directions, _names(directions), params)


def whole_for_directions(
    statement: Statement, arrays: Mapping[str, Array], directions: Directions, params: tuple[str, ...]
) -> Statement:
    """The statement for all directions; `arrays` have the leading dimensions, others do not."""
    lifted = {n: Lifted(a) for n, a in arrays.items()}
    return lift_with_arrays(statement, lifted, directions, _names(directions), params)


def derivative_dims(dims: tuple[str, ...], directions: Directions, params: Sequence[str]) -> tuple[str, ...]:
    """[d..., s] for the names s."""
    return lift_dims(dims, _names(directions), params)


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
    return lift_access(access, space, Lifted(array), len(directions))


def diagonal(array: Array, directions: Directions, params: tuple[str, ...]) -> isl.Set:
    """{ a_bar[d..., i...] : d = i } within an array of shape (directions, directions)."""
    domain = array.domain(params)
    n = len(directions)
    for i in range(n):
        domain = domain.equate(isl.dim_type.set, i, isl.dim_type.set, n + i)
    return domain
