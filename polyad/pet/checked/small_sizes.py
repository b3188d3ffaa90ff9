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

    Raises:
        ExtractionError: what is left counts to numbers that no size is.
    """
    limits = isl.Set.universe(scop.context.get_space())
    for i in range(limits.dim(isl.dim_type.param)):
        limits = limits.lower_bound_val(isl.dim_type.param, i, isl.Val(0))
        limits = limits.upper_bound_val(isl.dim_type.param, i, isl.Val(LARGEST_SIZE))
    context = scop.context.intersect(limits).gist(limits) if _LARGE.search(str(scop.context)) else scop.context
    known = islx.param_names(context)
    for sizes in excluded:
        for name in set(islx.param_names(sizes)) - set(known):
            position = islx.param_names(sizes).index(name)
            sizes = sizes.project_out(isl.dim_type.param, position, 1)
        context = context.subtract(sizes.align_params(context.get_space()))
    for statement in scop.statements:
        values = [str(node.value) for node in nodes(statement.body) if isinstance(node, Affine)]
        beyond = any(_TOO_LARGE.search(value) for value in values)
        if not statement.kills and (beyond or _LARGE.search(str(statement.domain.gist_params(limits)))):
            sentence = "an unsigned number goes below 0 here, where it becomes very large; count by `int` or `int64_t`"
            raise refusal(scop.path, statement.line or scop.lines[0], "unsigned", sentence)
    return replace(scop, context=context.coalesce())
