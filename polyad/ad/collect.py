"""Contributions -> equations: the elements of one derivative array, from all that is added to them.

    pointwise contributions   on overlapping domains become one definition per disjoint piece:   x_bar[i]  = f(i) + g(i)
    contributions of a fibre  stay sums:                                                          x_bar[i] += f(i, k)

An element's value is its definition and its sums together, so no zero is written first. Where there are definitions
only, the rest of the array is defined as zero.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

import islpy as isl

from polyad import islx
from polyad.ad.names import Names, contribution_of
from polyad.ad.partials import plus
from polyad.ad.pinned import drop_pinned
from polyad.ir.array import Array
from polyad.ir.expr import Const, Expr, Indirect, Read, map_expr, pullback, pullback_access
from polyad.ir.statement import Statement
from polyad.ops import cast
from polyad.transforms.rewrite.disjoint_pieces import disjoint_pieces
from polyad.transforms.rewrite.identity_definition import identity_definitions

__all__ = ["Collected", "Contribution", "collect", "completed", "sum_statement"]

_MOST_SUPPORT = 2
"""A support in more basic sets than this is not followed further: it would cut all that depends on it into pieces."""


_MOST_TERMS = 64
"""Terms of one equation: a variable that a loop of Python reads hundreds of times has as many, and they nest."""


@dataclass(frozen=True, slots=True, eq=False)
class Contribution:
    """A term that is added to elements of a derivative array.

    Attributes:
        source: the statement it comes from, for names.
        dims: names of [e, f], the element and the dimensions along its fibre; of a scatter, the instance.
        domain: { [e, f] }.
        instance: { [e, f] -> S[s] }.
        body: the value, over { S[s] }.
        free: the number of dimensions f.
        scatter: { S[s] -> x_bar[...] } the data-dependent element, or None.
        read: the read over { S[s] } that was turned around, or None: where S reads it, the element itself is read.
        where: the user's `file:line`.
    """

    source: str
    dims: tuple[str, ...]
    domain: isl.Set
    instance: isl.MultiAff
    body: Expr
    free: int = 0
    scatter: Indirect | None = None
    read: Read | None = None
    where: str = ""

    @property
    def is_pointwise(self) -> bool:
        """Whether each element gets at most one instance of it."""
        return not self.free and self.scatter is None

    def body_over(self, space: isl.Space) -> Expr:
        """The value as an expression over { name[e, f] }."""
        instance = _from(self.instance, space)
        body = pullback(self.body, instance)
        if self.read is None or not isinstance(self.read.access, isl.MultiAff):
            return body
        # x[i // 2] for the instances i that read element e is x[e]: no division is left in the body.
        array, access = self.read.array, self.read.access.pullback_multi_aff(instance)
        rank = access.dim(isl.dim_type.out)
        last = len(self.dims) - self.free
        element = islx.projection(space, access.get_space().range(), range(last - rank, last))
        if access.plain_is_equal(element):
            return body

        def leaf(expr: Expr) -> Expr:
            match expr:
                case Read(name, isl.MultiAff() as index, dtype) if name == array and index.plain_is_equal(access):
                    return Read(array, element, dtype)
            return expr

        return map_expr(body, leaf)


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
    array: Array,
    dims: tuple[str, ...],
    contributions: Sequence[Contribution],
    params: tuple[str, ...],
    context: isl.Set,
    names: Names,
    recurrent: bool = False,
) -> Collected:
    """The equations of `array` (a derivative array) from its contributions.

    Args:
        array: the derivative array.
        dims: names of its elements.
        contributions: all that is added to it.
        params: the sizes.
        context: { : ... } what is assumed of them.
        names: gives and keeps the statement names.
        recurrent: whether elements need each other; all equations then keep all dimensions of the element, so that an
            order can be read off them.
    """
    pointwise = [c for c in contributions if c.is_pointwise]
    sums = [c for c in contributions if not c.is_pointwise]
    statements: list[Statement] = []
    for start in range(0, len(pointwise), _MOST_TERMS):
        terms = pointwise[start : start + _MOST_TERMS]
        pieces = disjoint_pieces([c.domain.set_tuple_name(array.name) for c in terms], context)
        if pieces is None:
            sums = terms + sums
        for piece, members in pieces or ():
            statement = _definition(array, piece, [terms[i] for i in members], params, names)
            statements.append(replace(statement, reduction="sum") if start else statement)
    statements += [sum_statement(array, c, params, names) for c in sums]
    if not recurrent:
        statements = [s if isinstance(s.write, Indirect) else drop_pinned(s) for s in statements]
    return completed(array, dims, statements, params, context, names)


def completed(
    array: Array,
    dims: tuple[str, ...],
    statements: Sequence[Statement],
    params: tuple[str, ...],
    context: isl.Set,
    names: Names,
) -> Collected:
    """The equations with zeros for what they leave undefined, and where they may be non-zero.

    Args:
        array: the derivative array.
        dims: names of its elements.
        statements: its definitions and sums, none of them zero.
        params: the sizes.
        context: { : ... } what is assumed of them.
        names: gives and keeps the statement names.
    """
    everything = array.domain(params)
    zeros: list[Statement] = []
    if all(s.reduction is None for s in statements):
        rest = everything
        for s in statements:
            rest = rest.subtract(s.write_relation().range())
        rest = rest.coalesce()
        # Without any statement, as for an array without elements, nothing would say that it is defined.
        if not statements or (not rest.is_empty() and not rest.intersect_params(context).is_empty()):
            zeros = identity_definitions(array, "sum", rest, params, dims, names.statements())
            names.take(statements=(s.name for s in zeros))
    constant = None
    if len(statements) == 1 and statements[0].reduction is None and isinstance(statements[0].body, Const):
        constant = statements[0].body
    support = _support(array, statements, everything.intersect_params(context))
    return Collected((*statements, *zeros), support, constant)


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
    return Statement(name, first.dims, domain, array.name, write, cast(body, array.dtype), None, first.where)


def sum_statement(array: Array, c: Contribution, params: tuple[str, ...], names: Names) -> Statement:
    """x_bar[e] += f(e, f), or x_bar[ids[s]] += f(s)."""
    name = names.statement(contribution_of(array.name, c.source))
    space = islx.space(params, name, c.dims)
    domain = islx.name_dims(c.domain.set_tuple_name(name), c.dims)
    body = cast(c.body_over(space), array.dtype)
    if c.scatter is not None:
        write = pullback_access(c.scatter, _from(c.instance, space))
        return Statement(name, c.dims, domain, array.name, write, body, "sum", c.where)
    elements = islx.multi_aff(space, array.name, _leading(space, len(c.dims) - c.free))
    return Statement(name, c.dims, domain, array.name, elements, body, "sum", c.where)


def _leading(space: isl.Space, count: int) -> list[isl.Aff]:
    local = isl.LocalSpace.from_space(space)
    return [isl.Aff.var_on_domain(local, isl.dim_type.set, i) for i in range(count)]


def _from(instance: isl.MultiAff, space: isl.Space) -> isl.MultiAff:
    """{ name[e, f] -> S[s] } for { [e, f] -> S[s] }."""
    name = space.get_tuple_name(isl.dim_type.set)
    return instance.set_tuple_name(isl.dim_type.in_, name)


def _support(array: Array, statements: Sequence[Statement], everything: isl.Set) -> isl.Set | None:
    """Return the points where the statements can make a value other than zero, or None for everywhere."""
    result = isl.Set.empty(everything.get_space())
    for s in statements:
        if isinstance(s.write, Indirect):
            return None
        touched = s.write_relation().range()
        if len(s.dims) > len(array.shape):
            # Which elements have a fibre at all may be a question of divisibility; more elements are safe.
            touched = touched.remove_divs()
        result = result.union(touched)
    if everything.is_subset(result):
        return None
    result = result.coalesce()
    return result if result.n_basic_set() <= _MOST_SUPPORT else None
