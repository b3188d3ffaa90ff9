"""Contributions -> equations: the elements of one derivative array, from all that is added to them.

    pointwise contributions   on overlapping domains become one definition per disjoint piece:   x_bar[i]  = f(i) + g(i)
    contributions of a fibre  stay sums:                                                          x_bar[i] += f(i, k)

An element's value is its definition and its sums together, so no zero is written first. Where there are definitions
only, the rest of the array is defined as zero.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import islpy as isl

from polyad import islx
from polyad.ad.names import Names, contribution_of
from polyad.ad.partials import plus
from polyad.ad.pinned import drop_pinned
from polyad.ir.array import Array
from polyad.ir.expr import Const, Expr, Indirect, pullback, pullback_access
from polyad.ir.statement import Statement
from polyad.ops import cast
from polyad.transforms.identity_definition import identity_definitions

__all__ = ["Collected", "Contribution", "collect"]

_MOST_PIECES = 8
"""Definitions on more pieces (basic sets) than this are written as separate sums instead."""

_MOST_SUPPORT = 2
"""A support in more basic sets than this is not followed further: it would cut all that depends on it into pieces."""


@dataclass(frozen=True, slots=True, eq=False)
class Contribution:
    """What is added to elements of a derivative array.

    Attributes:
        source: the statement it comes from, for names.
        dims: names of [e, f], the element and the dimensions along its fibre; of a scatter, the instance.
        domain: { [e, f] }.
        instance: { [e, f] -> S[s] }.
        body: the value, over { S[s] }.
        free: the number of dimensions f.
        scatter: { S[s] -> x_bar[...] } the data-dependent element, or None.
        where: the user's `file:line`.
    """

    source: str
    dims: tuple[str, ...]
    domain: isl.Set
    instance: isl.MultiAff
    body: Expr
    free: int = 0
    scatter: Indirect | None = None
    where: str = ""

    @property
    def is_pointwise(self) -> bool:
        """Whether each element gets at most one instance of it."""
        return not self.free and self.scatter is None

    def body_over(self, space: isl.Space) -> Expr:
        """The value as an expression over { name[e, f] }."""
        return pullback(self.body, _from(self.instance, space))


@dataclass(frozen=True, slots=True, eq=False)
class Collected:
    """The equations of one derivative array.

    Attributes:
        statements: its definitions and sums.
        support: { x_bar[e] } outside of which it is zero; None when it may be non-zero everywhere.
        constant: the one value it has on all of its support, or None.
    """

    statements: tuple[Statement, ...]
    support: isl.Set | None = None
    constant: Const | None = None


def collect(
    array: Array, contributions: Sequence[Contribution], params: tuple[str, ...], context: isl.Set, names: Names
) -> Collected:
    """The equations of `array` (a derivative array) from its contributions.

    Args:
        array: the derivative array.
        contributions: all that is added to it.
        params: the sizes.
        context: { : ... } what is assumed of them.
        names: gives and keeps the statement names.
    """
    pointwise = [c for c in contributions if c.is_pointwise]
    sums = [c for c in contributions if not c.is_pointwise]
    everything = array.domain(params)
    pieces = _disjoint_pieces([c.domain.set_tuple_name(array.name) for c in pointwise])
    if sum(piece.n_basic_set() for piece, _ in pieces) > _MOST_PIECES:
        sums, pointwise, pieces = pointwise + sums, [], []
    statements = [_definition(array, piece, [pointwise[i] for i in members], params, names) for piece, members in pieces]
    statements += [_sum(array, c, params, names) for c in sums]
    if not sums:
        rest = everything
        for piece, _ in pieces:
            rest = rest.subtract(piece)
        rest = rest.coalesce()
        if not rest.is_empty() and not rest.intersect_params(context).is_empty():
            zeros = identity_definitions(array, "sum", rest, params, array.dims(), names.statements())
            names.take(statements=(s.name for s in zeros))
            statements += zeros
    only = contributions[0].body if len(contributions) == 1 else None
    return Collected(
        tuple(statements),
        _support(array, contributions, everything.intersect_params(context)),
        only if isinstance(only, Const) and pointwise else None,
    )


def _disjoint_pieces(domains: Sequence[isl.Set]) -> list[tuple[isl.Set, list[int]]]:
    """Disjoint sets that make up the union of `domains`, each with the domains it lies in.

    More than the permitted number of pieces is left unfinished; the caller counts.
    """
    pieces: list[tuple[isl.Set, list[int]]] = []
    for number, domain in enumerate(domains):
        refined: list[tuple[isl.Set, list[int]]] = []
        rest = domain
        for piece, members in pieces:
            if piece.plain_is_equal(rest) or piece.is_equal(rest):
                refined.append((piece, [*members, number]))
                rest = rest.subtract(piece)
                continue
            common = piece.intersect(rest)
            if common.is_empty():
                refined.append((piece, members))
                continue
            outside = piece.subtract(rest)
            if not outside.is_empty():
                refined.append((outside.coalesce(), members))
            refined.append((common.coalesce(), [*members, number]))
            rest = rest.subtract(piece)
        if not rest.is_empty():
            refined.append((rest.coalesce(), [number]))
        pieces = refined
        if len(pieces) > _MOST_PIECES:
            break
    return pieces


def _definition(
    array: Array, piece: isl.Set, members: Sequence[Contribution], params: tuple[str, ...], names: Names
) -> Statement:
    """x_bar[e] = the sum of the members, for e in the piece."""
    first = members[0]
    name = names.statement(array.name)
    space = islx.space(params, name, first.dims)
    body = first.body_over(space)
    for other in members[1:]:
        body = plus(body, other.body_over(space))
    domain = islx.name_dims(piece.set_tuple_name(name), first.dims)
    write = islx.multi_aff(space, array.name, _leading(space, len(first.dims)))
    return drop_pinned(Statement(name, first.dims, domain, array.name, write, cast(body, array.dtype), None, first.where))


def _sum(array: Array, c: Contribution, params: tuple[str, ...], names: Names) -> Statement:
    """x_bar[e] += f(e, f), or x_bar[ids[s]] += f(s)."""
    name = names.statement(contribution_of(array.name, c.source))
    space = islx.space(params, name, c.dims)
    domain = islx.name_dims(c.domain.set_tuple_name(name), c.dims)
    body = cast(c.body_over(space), array.dtype)
    if c.scatter is not None:
        write = pullback_access(c.scatter, _from(c.instance, space))
        return Statement(name, c.dims, domain, array.name, write, body, "sum", c.where)
    elements = islx.multi_aff(space, array.name, _leading(space, len(c.dims) - c.free))
    return drop_pinned(Statement(name, c.dims, domain, array.name, elements, body, "sum", c.where))


def _leading(space: isl.Space, count: int) -> list[isl.Aff]:
    local = isl.LocalSpace.from_space(space)
    return [isl.Aff.var_on_domain(local, isl.dim_type.set, i) for i in range(count)]


def _from(instance: isl.MultiAff, space: isl.Space) -> isl.MultiAff:
    """{ name[e, f] -> S[s] } for { [e, f] -> S[s] }."""
    name = space.get_tuple_name(isl.dim_type.set)
    return instance.set_tuple_name(isl.dim_type.in_, name)


def _support(array: Array, contributions: Sequence[Contribution], everything: isl.Set) -> isl.Set | None:
    """Where the sum of the contributions can differ from zero, or None for everywhere."""
    result = isl.Set.empty(everything.get_space())
    for c in contributions:
        if c.scatter is not None:
            return None
        n = len(c.dims) - c.free
        touched = c.domain
        if c.free:
            # Which elements have a fibre at all may be a question of divisibility; more elements are safe.
            touched = touched.project_out(isl.dim_type.set, n, c.free).remove_divs()
        result = result.union(touched.set_tuple_name(array.name))
    if everything.is_subset(result):
        return None
    result = result.coalesce()
    return result if result.n_basic_set() <= _MOST_SUPPORT else None
