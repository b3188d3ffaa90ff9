"""Borders: a few elements wide along a dimension in which the whole is wider."""

from __future__ import annotations

import islpy as isl

from polyad import islx

__all__ = ["are_borders", "is_border"]


def is_border(part: isl.Set, whole: isl.Set, width: int) -> bool:
    """Whether a part of a set is thin along some dimension, for all sizes.

    Args:
        part: { a[e] }, not empty.
        whole: { a[e] }.
        width: from which on a part is no border (`Machine.border`).
    """
    dims = range(part.dim(isl.dim_type.set))
    return any(_thin(part, d, width) and not _thin(whole, d, width) for d in dims)


def are_borders(parts: isl.Set, whole: isl.Set, width: int) -> bool:
    """Whether each basic set of `parts` is a border of the whole."""
    return all(is_border(isl.Set.from_basic_set(b), whole, width) for b in islx.basic_sets(parts))


def _thin(elements: isl.Set, dim: int, width: int) -> bool:
    span = elements.dim_max(dim).sub(elements.dim_min(dim))
    greatest = isl.Set.from_pw_aff(span).dim_max_val(0)
    return bool(greatest.is_int()) and int(greatest.to_python()) + 1 < width
