"""Of segments of segments, those that have to be run again for what they end in.

A segment is run again for the states at the starts of its parts, and each part once more for its own adjoint. Nothing
follows the last part, so it is run for its adjoint alone.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace

import islpy as isl

from polyad import islx
from polyad.ir.expr import Indirect
from polyad.ir.statement import Statement

__all__ = ["ended_segments"]


def ended_segments(statements: Sequence[Statement], parts: Mapping[str, int]) -> list[Statement]:
    """The statements of some arrays, in the parts alone that others read, or that such parts read in turn.

    Args:
        statements: all of them.
        parts: array -> how many of its leading indices say which part it is in.
    """
    needed = _needed(statements, parts)
    return [_within(s, needed[s.array]) if s.array in needed else s for s in statements]


def _needed(statements: Sequence[Statement], parts: Mapping[str, int]) -> dict[str, isl.Set]:
    """Array -> { [part] } that are read; without those of which each round finds more."""
    readers = [(s, r.array, s.read_relation(r)) for s in statements for r in s.reads() if r.array in parts]
    whole = {s.array for s in statements if s.array in parts and isinstance(s.write, Indirect)}
    found: dict[str, isl.Set] = {}
    for _ in range(len(parts) + 2):
        before = dict(found)
        for s, array, relation in readers:
            if s.array not in parts or s.array in whole:
                used = relation
            elif s.array in found:
                used = relation.intersect_domain(_within(s, found[s.array]).domain)
            else:
                continue
            read = _leading(used.range(), parts[array])
            found[array] = read if array not in found else found[array].union(read).coalesce()
        if before.keys() == found.keys() and all(found[a].is_subset(before[a]) for a in found):
            return {a: found[a] for a in found if a not in whole}
    return {}


def _leading(elements: isl.Set, axes: int) -> isl.Set:
    """{ [part] } of { a[part, ...] }."""
    return elements.reset_tuple_id().project_out(isl.dim_type.set, axes, elements.dim(isl.dim_type.set) - axes)


def _within(s: Statement, parts: isl.Set) -> Statement:
    """The statement where it writes in certain parts."""
    written = s.write_relation().reset_tuple_id(isl.dim_type.out)
    axes = parts.dim(isl.dim_type.set)
    part = written.project_out(isl.dim_type.out, axes, written.dim(isl.dim_type.out) - axes)
    domain = part.intersect_range(parts).domain().intersect(s.domain).coalesce()
    if s.domain.is_subset(domain):
        return s
    return replace(s, domain=islx.name_dims(domain.set_tuple_name(s.name), s.dims))
