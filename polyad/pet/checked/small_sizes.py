"""Sizes that are so small that a loop nest need not mean anything: `m = x[0]` with no elements, `x[n - 2]` with one."""

from __future__ import annotations

import islpy as isl

__all__ = ["small_sizes"]

_SMALL = 3


def small_sizes(space: isl.Space) -> isl.Set:
    """[sizes] -> { : ... } some size is below 3."""
    small = isl.Set.empty(space)
    for i in range(space.dim(isl.dim_type.param)):
        small = small.union(isl.Set.universe(space).upper_bound_val(isl.dim_type.param, i, isl.Val(_SMALL - 1)))
    return small
