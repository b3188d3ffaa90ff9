"""Sizes for which a loop nest means something.

`m = x[0]` with no elements and `x[n - 2]` with one mean nothing, and small sizes at which an unsigned `n - 1` passes 0
are none of the program. Sizes are not negative, and no larger than C's int.
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from dataclasses import replace

import islpy as isl

from polyad import islx
from polyad.pet.integers.kinds import LARGEST_SIZE
from polyad.pet.refusal import refusal
from polyad.pet.scop import Affine, Scop, nodes

__all__ = ["of_usual_sizes", "small_sizes"]

_SMALL = 3
_LARGE = re.compile(r"\d{10,}")
"""Numbers that loops do not come to."""
_TOO_LARGE = re.compile(r"\d{19,}")
"""Numbers that no integer of 64 bits with a sign is."""


def small_sizes(space: isl.Space) -> isl.Set:
    """[sizes] -> { : ... } some size is below 3."""
    small = isl.Set.empty(space)
    for i in range(space.dim(isl.dim_type.param)):
        small = small.union(isl.Set.universe(space).upper_bound_val(isl.dim_type.param, i, isl.Val(_SMALL - 1)))
    return small


def of_usual_sizes(scop: Scop, excluded: Iterable[isl.Set]) -> Scop:
    """The scop for sizes of C's int, without those that are excluded.

    Where a subscript of C's int passes its end at the largest sizes alone, sizes are half as large.

    Raises:
        ExtractionError: what is left counts to numbers that no size is.
    """
    limits, usual = (_up_to(most, scop.context) for most in (LARGEST_SIZE, LARGEST_SIZE // 2))
    context = scop.context.intersect(limits).gist(limits) if _LARGE.search(str(scop.context)) else scop.context
    known = islx.param_names(context)
    for sizes in excluded:
        for name in set(islx.param_names(sizes)) - set(known):
            position = islx.param_names(sizes).index(name)
            sizes = sizes.project_out(isl.dim_type.param, position, 1)
        context = context.subtract(sizes.align_params(context.get_space()))
    large = [id(s) for s in scop.statements if not s.kills and _LARGE.search(str(s.domain.gist_params(limits)))]
    for statement in scop.statements:
        values = [str(node.value) for node in nodes(statement.body) if isinstance(node, Affine)]
        rest = statement.domain.intersect_params(usual).coalesce().gist_params(usual) if id(statement) in large else ""
        if not statement.kills and (any(map(_TOO_LARGE.search, values)) or _LARGE.search(str(rest))):
            sentence = "an unsigned number goes below 0 here, where it becomes very large; count by `int` or `int64_t`"
            raise refusal(scop.path, statement.line or scop.lines[0], "unsigned", sentence)
    if not large:
        return replace(scop, context=context.coalesce())
    statements = tuple(replace(s, domain=s.domain.intersect_params(usual).coalesce()) for s in scop.statements)
    domain = isl.UnionSet("{ }")
    for statement in statements:
        domain = domain.union(isl.UnionSet.from_set(statement.domain))
    schedule = scop.schedule.intersect_domain(domain)
    return replace(scop, context=context.intersect(usual).coalesce(), statements=statements, schedule=schedule)


def _up_to(most: int, context: isl.Set) -> isl.Set:
    """[sizes] -> { : 0 <= sizes <= most }."""
    result = isl.Set.universe(context.get_space())
    for i in range(result.dim(isl.dim_type.param)):
        result = result.lower_bound_val(isl.dim_type.param, i, isl.Val(0))
        result = result.upper_bound_val(isl.dim_type.param, i, isl.Val(most))
    return result
