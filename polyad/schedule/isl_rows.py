"""Rows of a recurrence by isl's scheduler: skewed loops, for what single dimensions cannot satisfy."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager

import islpy as isl

from polyad import islx
from polyad.ir.affine import Affine
from polyad.schedule.problem import Problem, Rows
from polyad.schedule.tree import row_functions

__all__ = ["isl_rows"]

_MAX_OPERATIONS = 20_000_000  # isl operations, a second or so: the bound on compile time
_OPTIONS = {"outer_coincidence": 1, "maximize_band_depth": 0, "serialize_sccs": 0, "whole_component": 0}


@contextmanager
def _options() -> Iterator[None]:
    """Set isl's scheduler options and put the former ones back."""
    context = isl.DEFAULT_CONTEXT
    before = {name: getattr(context, f"get_schedule_{name}")() for name in _OPTIONS}
    try:
        for name, value in _OPTIONS.items():
            getattr(context, f"set_schedule_{name}")(value)
        yield
    finally:
        for name, value in before.items():
            getattr(context, f"set_schedule_{name}")(value)


def isl_rows(problem: Problem) -> list[Rows]:
    """The members of the outermost band that isl finds; empty when it finds none, or none in time.

    The search is bounded by a count of isl's operations, so that it ends the same way on every machine.
    """
    domain = islx.union_set(f.domain for f in problem.facts.values())
    validity = islx.union_map(e.relation for e in problem.edges)
    clashes = islx.union_map(e.relation for e in problem.conflicts)
    constraints = isl.ScheduleConstraints.on_domain(domain).set_validity(validity)
    constraints = constraints.set_coincidence(validity.union(clashes)).set_proximity(validity)
    try:
        with _options(), islx.bounded_operations(_MAX_OPERATIONS):
            node = constraints.compute_schedule().get_root().child(0)
    except isl.Error:
        return []
    if isl.schedule_node_type(node.get_type()) != isl.schedule_node_type.band:
        return []
    partial = node.band_get_partial_schedule()
    rows: list[Rows] = []
    for member in range(partial.dim(isl.dim_type.set)):
        functions = row_functions(partial.get_at(member))
        if not all(f.n_piece() == 1 for f in functions.values()):
            return []
        found = {n: Affine.from_aff(f.get_pieces()[0][1], problem.dims(n)) for n, f in functions.items()}
        rows.append({n: found[n] for n in problem.names})
    return rows
