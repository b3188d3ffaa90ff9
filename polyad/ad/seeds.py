"""Seeds: the given cotangent of a head, or the given tangent of a variable."""

from __future__ import annotations

from polyad import islx
from polyad.ad.collect import Contribution
from polyad.ad.directions import Directions, diagonal
from polyad.ir.array import Array
from polyad.ir.expr import Expr, Read
from polyad.ops import const

__all__ = ["copied", "seed_contribution"]


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


def copied(given: Array, dims: tuple[str, ...], source: str, params: tuple[str, ...]) -> Contribution:
    """All elements of an array, to be added to an array of the same shape."""
    space = islx.space(params, "", dims)
    domain = given.domain(params)
    body: Expr = Read(given.name, islx.projection(space, domain.get_space(), range(len(dims))), given.dtype)
    return Contribution(source, dims, domain.reset_tuple_id(), islx.identity(space), body)
