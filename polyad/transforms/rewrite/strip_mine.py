"""One dimension of a statement as two: strips and the places in a strip, or quotient and remainder."""

from __future__ import annotations

from dataclasses import replace

import islpy as isl

from polyad import islx
from polyad.ir.affine import Affine, FloorDiv
from polyad.ir.names import unique_name
from polyad.ir.statement import Statement
from polyad.transforms.rewrite.map_indices import map_indices

__all__ = ["split_dimension", "strip_mine"]


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


def split_dimension(s: Statement, quotient: FloorDiv, dim: str) -> Statement:
    """The statement over one dimension more: over t = n s + i, t // n is s, and t % n is i.

    Every value is one pair, also in a last segment that is shorter, and conditions stay as conditions on the pair.

    Args:
        s: its accesses are not by data where they are written.
        quotient: of the dimension, plus or minus it with an offset over sizes and other dimensions.
        dim: the dimension.
    """
    sign = dict(quotient.numerator.terms)[dim]
    rest = quotient.numerator - Affine.of(dim) * sign
    segment = unique_name("s", {*s.dims, *s.params()})
    at = s.dims.index(dim)
    dims = (*s.dims[:at], segment, *s.dims[at:])
    step = Affine.of(segment) * quotient.divisor + Affine.of(dim)  # the value of the numerator
    return _over(s, dims, {dim: (step - rest) * sign}, (dim, quotient.divisor))


def _over(s: Statement, dims: tuple[str, ...], values: dict[str, Affine], split: tuple[str, int]) -> Statement:
    """The statement over new dimensions, the old ones being `values` of them."""
    step, divisor = split
    params = s.params()
    space = islx.space(params, s.name, dims)
    where = islx.positions(params, dims)
    change = islx.multi_aff(space, s.name, [values.get(d, Affine.of(d)).to_aff(space, where) for d in s.dims])
    domain = s.domain.preimage_multi_aff(change)
    inner = Affine.of(step)
    for bound in (inner, divisor - 1 - inner):
        aff = bound.to_aff(space, where)
        domain = domain.intersect(aff.ge_set(isl.Aff.zero_on_domain(aff.get_domain_local_space())))

    def index(old: isl.Aff) -> isl.Aff:
        return _settled(Affine.from_aff(old, s.dims).substitute(values), split).to_aff(space, where)

    def may(relation: isl.Map) -> isl.Map:
        return change.as_map().apply_range(relation)

    return replace(map_indices(s, space, index, may), dims=dims, domain=islx.name_dims(domain, dims))


def _settled(affine: Affine, split: tuple[str, int]) -> Affine:
    """Whole multiples leave quotients, (n s + e) // n = s + e // n, and e // n is 0 where 0 <= e < n."""
    step, below = split
    result = Affine((), affine.constant)
    for atom, c in affine.terms:
        if not isinstance(atom, FloorDiv):
            result = result + Affine(((atom, c),), 0)
            continue
        n, numerator = atom.divisor, _settled(atom.numerator, split)
        whole = Affine.build({a: f // n for a, f in numerator.terms if f % n == 0}, 0)
        rest = numerator - whole * n
        small = rest - Affine.of(step)
        if not (rest == Affine() or (small.is_constant and 0 <= small.constant <= n - below)):
            whole = whole + rest // n
        result = result + whole * c
    return result
