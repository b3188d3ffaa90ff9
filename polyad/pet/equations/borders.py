"""Versions that also hold what stood in an array before: borders of stencils, and the state before the first step.

    for t: for i in 1 .. n - 2: x[i] = x[i - 1] + x[i + 1]

x[i - 1] was written by this loop, or stood in x before: at the border, and in the first step. So x_1[t, i] gets these
elements, too, each equal to an input, and every read is x_1[t - 1, i - 1] without cases:

    x_1[-1, i] = x[i];    x_1[t, 0] = x_1[t - 1, 0];    x_1[t, n - 1] = x_1[t - 1, n - 1]

A border goes from step to step, so that storage can forget it with the elements inside.

A version takes an element only if nothing writes it, all its readers mean the same element of x, and the elements are
fewer by a dimension than those that it has.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import islpy as isl

from polyad import islx
from polyad.pet.dataflow.flow import Origin
from polyad.pet.equations.versions import Border, Version

__all__ = ["borders", "from_step_to_step"]

_USUAL = 8  # from here on the inside of a stencil is more than its border


def borders(
    reads: Sequence[Origin],
    last: Sequence[Origin],
    versions: Sequence[Version],
    version_of: Mapping[str, Version],
    everything: Mapping[str, isl.Set],
    context: isl.Set,
) -> dict[str, Border]:
    """Version -> the elements that it takes over.

    Args:
        reads: where reads come from.
        last: where what arrays are left with comes from.
        versions: all versions.
        version_of: statement -> the version that holds its values.
        everything: array that the function is given -> { x[c] } all of it.
        context: of the sizes.
    """
    written = {v.array.name: _written(v) for v in versions}
    steps = {v.array.name: v.steps for v in versions}
    found = _Finder(written, steps, version_of, everything, context)
    return found.borders(reads, last)


@dataclass(frozen=True, slots=True, eq=False)
class _Finder:
    """The state of `borders`."""

    written: Mapping[str, isl.Set]
    steps: Mapping[str, int]
    version_of: Mapping[str, Version]
    everything: Mapping[str, isl.Set]
    context: isl.Set

    def borders(self, reads: Sequence[Origin], last: Sequence[Origin]) -> dict[str, Border]:
        """Version -> what it takes over."""
        elements: dict[str, isl.Map] = {}
        readers: dict[str, dict[Origin, isl.Map]] = {}
        for origin in (*reads, *last):
            names = {self.version_of[s].array.name for s in origin.sources}
            outside = origin.outside.intersect_params(self.context)
            if len(names) != 1 or outside.is_empty() or outside.get_tuple_name(isl.dim_type.out) not in self.everything:
                continue
            (name,) = names
            # What only remains at the end is read once: it is no reason to have more elements in all steps.
            whole = _extended(origin, outside, self.version_of, self.context)
            if whole is None or (origin in last and name not in elements):
                continue
            needed = whole.intersect_domain(outside.domain()).reverse().apply_range(outside)
            together = elements[name].union(needed) if name in elements else needed
            free = needed.domain().intersect(self.written[name]).is_empty()
            if free and _is_thin(needed, self.written[name]) and together.is_single_valued():
                elements[name] = together
                readers.setdefault(name, {})[origin] = whole
        result = {}
        for name, needed in elements.items():
            written, steps = self.written[name], self.steps[name]
            more = _whole_border(needed.coalesce(), written, steps, self.everything, self.context)
            result[name] = Border(more, readers[name])
        return result


def _whole_border(
    needed: isl.Map, written: isl.Set, steps: int, everything: Mapping[str, isl.Set], context: isl.Set
) -> isl.Map:
    """All elements that nothing writes, in all steps, if these are few; else those that are needed.

    That some of them are never read does no harm, and there are fewer cases.

    Args:
        needed: { V[t, c] -> x[c'] }.
        written: { V[t, c] }.
        steps: the number of dimensions t.
        everything: array -> { x[c] }.
        context: of the sizes.
    """
    elements = everything[needed.get_tuple_name(isl.dim_type.out) or ""]
    rank = elements.dim(isl.dim_type.set)
    if written.dim(isl.dim_type.set) != steps + rank:
        return needed
    times = needed.domain().union(written).project_out(isl.dim_type.set, steps, rank).reset_tuple_id()
    times = _for_all_sizes(times, context)
    whole = times.flat_product(elements.reset_tuple_id()).set_tuple_name(written.get_tuple_name() or "")
    free = whole.subtract(written).coalesce()
    natural = free.identity().project_out(isl.dim_type.out, 0, steps)
    natural = natural.set_tuple_name(isl.dim_type.out, elements.get_tuple_name() or "")
    return natural if needed.is_subset(natural) and _is_thin(natural, written) else needed


def _for_all_sizes(times: isl.Set, context: isl.Set) -> isl.Set:
    """{ [t] } without conditions that speak of sizes only."""
    result = isl.Set.empty(times.get_space())
    for part in islx.basic_sets(times):
        rest = part.drop_constraints_not_involving_dims(isl.dim_type.set, 0, part.dim(isl.dim_type.set))
        result = result.union(isl.Set.from_basic_set(rest))
    return isl.Set.from_basic_set(result.intersect_params(context).coalesce().convex_hull())


def _written(version: Version) -> isl.Set:
    """{ V[k] }: the elements that statements write."""
    result: isl.Set | None = None
    for index in version.index.values():
        result = index.range() if result is None else result.union(index.range())
    assert result is not None
    return result.coalesce()


def _extended(origin: Origin, outside: isl.Map, version_of: Mapping[str, Version], context: isl.Set) -> isl.Map | None:
    """{ reader[i] -> V[k] } for all instances, by the one function that says so where V[k] is written."""
    there: isl.Map | None = None
    for source, relation in origin.sources.items():
        read = relation.intersect_params(context).apply_range(version_of[source].index[source])
        there = read if there is None else there.union(read)
    assert there is not None
    pieces = islx.functions(there)
    if len(pieces) != 1:
        return None
    part, function = pieces[0]
    return function.as_map().intersect_domain(part.union(outside.domain()))


def _is_thin(more: isl.Map, written: isl.Set) -> bool:
    """Whether elements are fewer than those written by a dimension, at sizes that are not small."""
    found, usual = ([_equalities(part) for part in _at_usual_sizes(part)] for part in (more.domain(), written))
    return not found or min(found) > min(usual, default=0)


def _at_usual_sizes(elements: isl.Set) -> list[isl.BasicSet]:
    params = elements.get_space().params()
    usual = isl.Set.universe(params)
    for i in range(params.dim(isl.dim_type.param)):
        usual = usual.lower_bound_val(isl.dim_type.param, i, isl.Val(_USUAL))
    return islx.basic_sets(elements.intersect_params(usual).coalesce())


def _equalities(part: isl.BasicSet) -> int:
    return sum(c.is_equality() for c in part.affine_hull().get_constraints())


def from_step_to_step(elements: isl.Map) -> isl.Map:
    """{ V[t, c] -> V[t - 1, c] }, where both are equal to the same element: a border that later steps take over.

    A copy of a copy, so that storage may forget what stood there two steps ago, as it does with the inside.

    Args:
        elements: { V[t, c] -> x[c'] }.
    """
    before = isl.MultiAff.identity_on_domain_space(elements.domain().get_space())
    before = before.set_aff(0, before.get_aff(0).add_constant_val(isl.Val(-1)))
    both = before.as_map().apply_range(elements).intersect(elements)
    return before.as_map().intersect_domain(both.domain()).coalesce()
