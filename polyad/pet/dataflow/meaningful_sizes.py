"""The sizes for which a loop nest means something: C leaves open what `m = x[0]` does where n is 0.

Sizes at which an instance touches an element outside of an array, or reads a variable that got no value, are left out
if they are small: some size is below 3. At other sizes it is an error of the program, which the verifier names.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import islpy as isl

from polyad.pet.dataflow.assignments import Assignment, cells
from polyad.pet.dataflow.flow import Flow
from polyad.pet.scop import Access, nodes

__all__ = ["meaningful_sizes"]

_SMALL = 3


def meaningful_sizes(
    statements: Sequence[Assignment], flow: Flow, everything: Mapping[str, isl.Set], context: isl.Set
) -> isl.Set:
    """The context without small sizes at which C has no meaning.

    Args:
        statements: the assignments that are needed.
        flow: where their values come from.
        everything: array or number that the function is given -> { x[c] } all of it.
        context: [sizes] -> { : ... }.
    """
    space = context.get_space()
    senseless = isl.Set.empty(space)
    for s in statements:
        for node in (s.target, *nodes(s.value)):
            if not isinstance(node, Access):
                continue
            senseless = senseless.union(_senseless(node, s, flow, everything).params().align_params(space))
    senseless = senseless.intersect(context)
    small = isl.Set.empty(space)
    for i in range(space.dim(isl.dim_type.param)):
        small = small.union(isl.Set.universe(space).upper_bound_val(isl.dim_type.param, i, isl.Val(_SMALL - 1)))
    return context.subtract(senseless).coalesce() if senseless.is_subset(small) else context


def _senseless(access: Access, statement: Assignment, flow: Flow, everything: Mapping[str, isl.Set]) -> isl.Set:
    """{ S[i] }: the instances whose access has no meaning."""
    touched = cells(access).intersect_domain(statement.domain)
    whole = everything.get(access.array)
    if access.arguments:  # the kernel checks where data point to; there has to be something
        return (
            statement.domain.subtract(touched.intersect_range(whole).domain()) if whole is not None else _none(touched)
        )
    if whole is not None:
        return touched.subtract_range(whole).domain()
    unset = flow.reads[access].outside if access in flow.reads and access is not statement.kept else None
    return unset.domain() if unset is not None else _none(touched)


def _none(touched: isl.Map) -> isl.Set:
    return isl.Set.empty(touched.get_space().domain())
