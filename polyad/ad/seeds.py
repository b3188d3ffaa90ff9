"""Seeds: the given cotangent of a head, or the given tangent of a variable."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from functools import reduce

import islpy as isl

from polyad import islx
from polyad.ad.collect import Contribution
from polyad.ad.directions import Directions, diagonal
from polyad.ir.array import Array
from polyad.ir.expr import Expr, Read
from polyad.ir.statement import Statement
from polyad.ops import const

__all__ = ["copied", "seed_contribution", "where_defined"]


def seed_contribution(
    array: Array, dims: tuple[str, ...], given: Array | None, directions: Directions, params: tuple[str, ...]
) -> Contribution:
    """The seed of a derivative array.

    Args:
        array: the derivative array, of shape (directions, primal shape).
        dims: names of its elements.
        given: an array of that shape that holds the seed; None for ones, or, with directions, for the identity: one
            where d = i. The identity is a statement on the diagonal only.
        directions: extents of the leading dimensions.
        params: the sizes.
    """
    if given is not None:
        return copied(given, dims, "head", params)
    domain = diagonal(array, directions, params) if directions else array.domain(params)
    element = islx.identity(islx.space(params, "", dims))
    return Contribution("head", dims, domain.reset_tuple_id(), element, const(1, array.dtype))


def where_defined(seed: Contribution, writers: Sequence[Statement], directions: Directions) -> Contribution:
    """The seed of the elements that exist.

    In a branch that some steps take, and in the last segment of a checkpointed scan, arrays have room for more.

    Args:
        seed: of the derivative of an array.
        writers: the statements of the array.
        directions: extents of the leading dimensions of the derivative.
    """
    if not writers or any(s.reduction is not None for s in writers):  # elements without a definition are 0
        return seed
    defined = reduce(isl.Set.union, (s.write_relation().range() for s in writers)).reset_tuple_id()
    defined = defined.insert_dims(isl.dim_type.set, 0, len(directions))
    return seed if seed.domain.is_subset(defined) else replace(seed, domain=seed.domain.intersect(defined).coalesce())


def copied(given: Array, dims: tuple[str, ...], source: str, params: tuple[str, ...]) -> Contribution:
    """All elements of an array, to be added to an array of the same shape."""
    space = islx.space(params, "", dims)
    domain = given.domain(params)
    body: Expr = Read(given.name, islx.projection(space, domain.get_space(), range(len(dims))), given.dtype)
    return Contribution(source, dims, domain.reset_tuple_id(), islx.identity(space), body)
