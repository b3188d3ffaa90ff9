"""One dimension of a statement as two: strips, and the places in a strip."""

from __future__ import annotations

import islpy as isl

from polyad import islx
from polyad.ir.affine import Affine
from polyad.ir.statement import Statement

__all__ = ["strip_mine"]


def strip_mine(
    s: Statement, dim: int, start: Affine, size: int, strip: str, place: str, dims: tuple[str, ...]
) -> Statement:
    """The statement where a dimension is start + size strip + place, with 0 <= place < size.

    Args:
        s: the statement.
        dim: the dimension.
        start: where the first strip begins.
        size: of strips.
        strip: the name of the new dimension that counts them.
        place: that of the one in a strip.
        dims: all dimensions, in their new order.
    """
    space, where = islx.space(s.params(), s.name, dims), islx.positions(s.params(), dims)
    whole = start + Affine.of(strip) * size + Affine.of(place)
    affs = [(whole if d == dim else Affine.of(name)).to_aff(space, where) for d, name in enumerate(s.dims)]
    change = islx.multi_aff(space, s.name, affs)
    zero, within = isl.Aff.zero_on_domain(isl.LocalSpace.from_space(space)), Affine.of(place).to_aff(space, where)
    domain = s.domain.preimage_multi_aff(change)
    domain = domain.intersect(within.ge_set(zero)).intersect((within - size).lt_set(zero))
    return s.change_space(s.name, dims, islx.name_dims(domain, dims), change)
