"""Turning an access relation around: who touches element e?

    access      { S[s] -> a[e] : e = r(s) }
    transposed  { [e, f] -> S[s] : e = r(s) }      f: the dimensions of s that run along the fibre of e

Each pair (e, f) names exactly one instance s, so a loop nest over the transposed domain visits every instance once and
visits it at the element it touches. The choice of f decides how many dimensions sum: none when the access is injective.
Equalities and strides of the relation stay in the domain. Source: docs/mathematics.md, the transposed access relation.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator
from dataclasses import dataclass
from itertools import combinations

import islpy as isl

from polyad import islx
from polyad.ir.names import distinct_dims

__all__ = ["Transposed", "fibre_dims", "transpose_access"]

_MOST_PIECES = 4
"""An inverse in more pieces than this is not used; one more dimension along the fibre makes it simpler."""


@dataclass(frozen=True, slots=True, eq=False)
class Transposed:
    """One piece of a transposed access.

    Attributes:
        dims: names of [e, f].
        domain: { [e, f] } the pairs that exist.
        instance: { [e, f] -> S[s] } the instance they name.
        free: the number of dimensions f.
    """

    dims: tuple[str, ...]
    domain: isl.Set
    instance: isl.MultiAff
    free: int


@dataclass(slots=True)
class _Access:
    """An access { S[s] -> a[r(s)] } on a domain, and what has been found out about it.

    Attributes:
        solved: dimension of s -> the output that determines it, by a coefficient of +-1 and dimensions solved before.
        rest: the outputs that solve nothing; they are constraints on e.
    """

    access: isl.MultiAff
    domain: isl.Set
    context: isl.Set
    dims: tuple[str, ...]
    solved: dict[int, int]
    rest: list[int]

    @property
    def params(self) -> tuple[str, ...]:
        n = self.domain.dim(isl.dim_type.param)
        return tuple(str(self.domain.get_dim_name(isl.dim_type.param, i)) for i in range(n))

    @property
    def n_out(self) -> int:
        return int(self.access.dim(isl.dim_type.out))


def transpose_access(
    access: isl.MultiAff,
    domain: isl.Set,
    dims: tuple[str, ...],
    element: tuple[str, ...],
    reduced: Collection[int],
    context: isl.Set,
) -> list[Transposed]:
    """The transposed access in disjoint pieces, mostly one.

    As few dimensions as possible run along the fibre. Among equals, those whose instances are found without an integer
    division are taken, then `reduced` ones.

    Args:
        access: { S[s] -> a[r(s)] }.
        domain: { S[s] }.
        dims: names of s.
        element: names for e.
        reduced: dimensions of s that the statement sums over already.
        context: { : ... } what is assumed of the sizes.
    """
    problem = _solve_units(access, domain, dims, context)
    free, coupled = _free(problem, reduced)
    names = distinct_dims((*element, *(dims[d] for d in free)), problem.params)
    if not coupled:
        return [_direct(problem, free, names)]
    return list(_general(problem, free, names))


def fibre_dims(access: isl.MultiAff, domain: isl.Set, context: isl.Set) -> list[int]:
    """The dimensions of s along the fibre of an element: which instances touch one and the same.

    Args:
        access: { S[s] -> a[r(s)] }.
        domain: { S[s] }.
        context: { : ... } what is assumed of the sizes.
    """
    dims = tuple(f"i{d}" for d in range(access.dim(isl.dim_type.in_)))
    return _free(_solve_units(access, domain, dims, context), ())[0]


def _free(problem: _Access, reduced: Collection[int]) -> tuple[list[int], bool]:
    """(the dimensions along the fibre, whether isl is needed to find the others)."""
    free = [d for d in range(len(problem.dims)) if d not in problem.solved]
    coupled = _components(problem, free)
    for component in coupled:
        # What an earlier one left out may follow from this one by an equality of the domain: it is not known here.
        chosen = _choose_free(problem, component, free, reduced)
        free = [d for d in free if d not in component or d in chosen]
    return free, bool(coupled)


def _solve_units(access: isl.MultiAff, domain: isl.Set, dims: tuple[str, ...], context: isl.Set) -> _Access:
    """Find the dimensions that stand in some output with coefficient +-1 and otherwise solved dimensions only."""
    solved: dict[int, int] = {}
    rest = list(range(access.dim(isl.dim_type.out)))
    affs = [access.get_aff(j) for j in rest]
    involved = [[d for d in range(len(dims)) if aff.involves_dims(isl.dim_type.in_, d, 1)] for aff in affs]
    progress = True
    while progress:
        progress = False
        for j in rest:
            unknown = [d for d in involved[j] if d not in solved]
            if len(unknown) == 1 and _is_unit(affs[j], unknown[0]):
                solved[unknown[0]] = j
                rest.remove(j)
                progress = True
                break
    return _Access(access, domain, context, dims, solved, rest)


def _is_unit(aff: isl.Aff, dim: int) -> bool:
    """Whether a dimension occurs with coefficient +-1, and nothing is divided."""
    coefficient = aff.get_coefficient_val(isl.dim_type.in_, dim)
    return (
        not aff.dim(isl.dim_type.div)
        and bool(aff.get_denominator_val().is_one())
        and bool(coefficient.is_one() or coefficient.is_negone())
    )


def _components(problem: _Access, unknown: Collection[int]) -> list[list[int]]:
    """Unsolved dimensions that occur in outputs, grouped by the outputs they share."""
    groups: list[set[int]] = []
    for j in problem.rest:
        aff = problem.access.get_aff(j)
        group = {d for d in unknown if aff.involves_dims(isl.dim_type.in_, d, 1)}
        if group:
            touching = [g for g in groups if g & group]
            groups = [g for g in groups if not g & group] + [group.union(*touching)]
    return [sorted(g) for g in groups]


def _choose_free(
    problem: _Access, component: list[int], unknown: Collection[int], reduced: Collection[int]
) -> frozenset[int]:
    """The fewest dimensions of a component that together with the element determine the others.

    Args:
        problem: the access.
        component: the dimensions to choose from.
        unknown: these, and what else will be along the fibre.
        reduced: dimensions that the statement sums over already.
    """
    others = [*problem.solved, *(d for d in unknown if d not in component)]
    for count in range(len(component)):
        candidates = []
        for free in combinations(component, count):
            inverse = _inverse(problem, sorted((*others, *free)))
            if inverse is not None:
                divided = any(ma.involves_locals() or _has_denominator(ma) for _, ma in _pieces(inverse))
                summed = sum(d in reduced for d in free)
                candidates.append(((inverse.n_piece(), divided, -summed, free), frozenset(free)))
        if candidates:
            return min(candidates)[1]
    return frozenset(component)


def _has_denominator(function: isl.MultiAff) -> bool:
    return any(not function.get_aff(i).get_denominator_val().is_one() for i in range(function.dim(isl.dim_type.out)))


def _inverse(problem: _Access, known: list[int]) -> isl.PwMultiAff | None:
    """{ [e, known s] -> S[s] } if these determine s by few enough pieces, else None."""
    graph = problem.access.as_map().intersect_domain(problem.domain).intersect_params(problem.context)
    target = islx.space(problem.params, "", [f"f{i}" for i in range(len(known))])
    selected = islx.projection(problem.domain.get_space(), target, known).as_map()  # { S[s] -> [known s] }
    flat = graph.range_product(selected).reverse().flatten_domain()  # { [e, known s] -> S[s] }
    if not flat.is_single_valued():
        return None
    result = isl.PwMultiAff.from_map(flat).coalesce()
    return result if result.n_piece() <= _MOST_PIECES else None


def _pieces(function: isl.PwMultiAff) -> list[tuple[isl.Set, isl.MultiAff]]:
    """The pieces of a function, each simplified by the set it holds on."""
    return [(where, value.gist(where)) for where, value in islx.pieces(function)]


def _direct(problem: _Access, free: list[int], names: tuple[str, ...]) -> Transposed:
    """All determined dimensions are solved by +-1: substitution, no isl search."""
    n = problem.n_out
    target = islx.space(problem.params, "", names)
    local = isl.LocalSpace.from_space(target)
    value = {d: isl.Aff.var_on_domain(local, isl.dim_type.set, n + i) for i, d in enumerate(free)}
    for dim, j in problem.solved.items():
        aff = problem.access.get_aff(j)
        # e_j = c dim + others, c = +-1, so dim = c (e_j - others).
        others = isl.Aff.zero_on_domain(local).set_constant_val(aff.get_constant_val())
        for p in range(aff.dim(isl.dim_type.param)):
            others = others.set_coefficient_val(isl.dim_type.param, p, aff.get_coefficient_val(isl.dim_type.param, p))
        for d in range(len(problem.dims)):
            coefficient = aff.get_coefficient_val(isl.dim_type.in_, d)
            if d != dim and not coefficient.is_zero():
                others = others.add(value[d].scale_val(coefficient))
        difference = isl.Aff.var_on_domain(local, isl.dim_type.set, j).sub(others)
        value[dim] = difference if aff.get_coefficient_val(isl.dim_type.in_, dim).is_one() else difference.neg()
    name = problem.domain.get_tuple_name() or ""
    instance = islx.multi_aff(target, name, [value[d] for d in range(len(problem.dims))])
    domain = problem.domain.preimage_multi_aff(instance)
    for j in problem.rest:
        index = problem.access.get_aff(j).pullback_multi_aff(instance)
        domain = domain.intersect(isl.Aff.var_on_domain(local, isl.dim_type.set, j).eq_set(index))
    return Transposed(names, islx.name_dims(domain, names), instance, len(free))


def _general(problem: _Access, free: list[int], names: tuple[str, ...]) -> Iterator[Transposed]:
    """Some dimensions are found by division, remainder or range: isl inverts the relation."""
    inverse = _inverse(problem, free)
    assert inverse is not None, "the dimensions along the fibre were chosen so that they determine the instance"
    target = islx.space(problem.params, "", names)
    for where, function in _pieces(inverse):
        domain = islx.name_dims(where.gist_params(problem.context).reset_tuple_id(), names)
        rename = islx.projection(target, function.get_space().domain(), range(len(names)))
        yield Transposed(names, domain, function.pullback_multi_aff(rename), len(free))
