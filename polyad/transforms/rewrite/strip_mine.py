"""One dimension of a statement as two, strips and places or quotient and remainder, or as the indices of a read."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

import islpy as isl

from polyad import islx
from polyad.ir.affine import Affine, FloorDiv
from polyad.ir.expr import Read
from polyad.ir.names import unique_name
from polyad.ir.statement import Statement
from polyad.transforms.rewrite.map_indices import map_indices

__all__ = ["by_indices", "split_dimension", "strip_mine"]

_FEWEST = 3
"""Indices with quotients: of two, t // n and t % n, the quotient says it all (`split_dimension`)."""


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


def by_indices(s: Statement, read: Read) -> Statement | None:
    """The statement over the indices of a read that have quotients; None where these do not say what they count.

    A statement over t that reads a[t // n, (t % n) // m, t % m] is one over s, r, i that reads a[s, r, i], with
    t = n s + m r + i. What the quotients look like does not matter, and there are many ways to write them: that t is
    such a sum follows from the set of all (t, indices).

    Args:
        s: its accesses are not by data where they are written.
        read: of the statement, likewise.
    """
    assert isinstance(read.access, isl.MultiAff)
    indices = [read.access.get_aff(i) for i in range(read.access.dim(isl.dim_type.out))]
    chosen = [a for a in indices if _has_quotients(a, s)]
    if len(chosen) < _FEWEST:
        return None
    names: list[str] = []
    for _ in chosen[1:]:
        names.append(unique_name("s", {*s.dims, *s.params(), *names}))
    graph = s.domain.reset_tuple_id()
    for n, aff in enumerate(chosen):  # { [dims, indices] }
        graph = graph.insert_dims(isl.dim_type.set, len(s.dims) + n, 1)
        graph = graph.intersect(_equal(aff, graph.get_space(), len(s.dims) + n))
    for at, dim in enumerate(s.dims):
        value = _value(graph, at, (*s.dims, *names, dim), s.params())
        if value is not None and {*names, dim} <= value.names():
            return _over_indices(s, (*s.dims[:at], *names, *s.dims[at:]), {dim: value}, (*names, dim), chosen)
    return None


def _has_quotients(aff: isl.Aff, s: Statement) -> bool:
    return any(isinstance(atom, FloorDiv) for atom, _ in Affine.from_aff(aff, s.dims).terms)


def _equal(aff: isl.Aff, space: isl.Space, place: int) -> isl.Set:
    """{ [dims, ...] : the dimension at a place is aff(dims) }."""
    more = space.dim(isl.dim_type.set) - aff.dim(isl.dim_type.in_)
    there = aff.add_dims(isl.dim_type.in_, more)
    mine = isl.Aff.var_on_domain(there.get_domain_local_space(), isl.dim_type.set, place)
    return mine.eq_set(there).reset_tuple_id()


def _value(graph: isl.Set, at: int, names: Sequence[str], params: Sequence[str]) -> Affine | None:
    """A dimension of a set as a function of the others, without quotients."""
    for c in graph.affine_hull().get_constraints():
        factor = int(c.get_coefficient_val(isl.dim_type.set, at).to_python())
        if not c.is_equality() or abs(factor) != 1 or c.involves_dims(isl.dim_type.div, 0, c.dim(isl.dim_type.div)):
            continue
        total = Affine.of(int(c.get_constant_val().to_python()))
        for kind, called in ((isl.dim_type.set, names), (isl.dim_type.param, params)):
            for i, name in enumerate(called):
                if (kind, i) != (isl.dim_type.set, at):
                    total = total + Affine.of(name) * int(c.get_coefficient_val(kind, i).to_python())
        return total * -factor
    return None


def _over_indices(
    s: Statement, dims: tuple[str, ...], values: dict[str, Affine], counted: Sequence[str], chosen: Sequence[isl.Aff]
) -> Statement:
    """The statement over new dimensions, some of which are the indices that were chosen."""
    params = s.params()
    space, where = islx.space(params, s.name, dims), islx.positions(params, dims)
    change = islx.multi_aff(space, s.name, [values.get(d, Affine.of(d)).to_aff(space, where) for d in s.dims])
    domain = s.domain.preimage_multi_aff(change)
    for name, aff in zip(counted, chosen, strict=True):
        domain = domain.intersect(Affine.of(name).to_aff(space, where).eq_set(aff.pullback_multi_aff(change)))
    domain = domain.coalesce().remove_redundancies()

    def index(old: isl.Aff) -> isl.Aff:
        new = old.pullback_multi_aff(change)
        if not any(isinstance(atom, FloorDiv) for atom, _ in Affine.from_aff(new, dims).terms):
            return new
        graph = domain.reset_tuple_id().insert_dims(isl.dim_type.set, len(dims), 1)
        graph = graph.intersect(_equal(new, graph.get_space(), len(dims)))
        plain = _value(graph, len(dims), (*dims, ""), params)
        return new if plain is None else plain.to_aff(space, where)

    def may(relation: isl.Map) -> isl.Map:
        return change.as_map().apply_range(relation)

    return replace(map_indices(s, space, index, may), dims=dims, domain=islx.name_dims(domain, dims))
