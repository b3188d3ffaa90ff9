"""Rows of a recurrence by isl's scheduler: skewed loops, for what single dimensions cannot satisfy."""

from __future__ import annotations

import islpy as isl

from polyad.ir.affine import Affine
from polyad.isl_scheduler import find_schedule
from polyad.schedule.state.problem import Problem, Rows
from polyad.schedule.tree.nodes import row_functions

__all__ = ["isl_rows"]

_OPTIONS = {"outer_coincidence": 1, "maximize_band_depth": 0, "serialize_sccs": 0, "whole_component": 0}


def isl_rows(problem: Problem) -> list[Rows]:
    """The members of the outermost band that isl finds; empty when it finds none, or none in time."""
    params = next(iter(problem.facts.values())).statement.params()
    schedule = find_schedule(
        {n: f.domain for n, f in problem.facts.items()},
        [(e.source, e.sink, e.relation) for e in problem.edges],
        [(e.source, e.sink, e.relation) for e in problem.conflicts],
        options=_OPTIONS,
    )
    if schedule is None:
        return []
    node = schedule.get_root().child(0)
    if isl.schedule_node_type(node.get_type()) != isl.schedule_node_type.band:
        return []
    sizes = {f"p{k}": Affine.of(p) for k, p in enumerate(params)}
    partial = node.band_get_partial_schedule()
    rows: list[Rows] = []
    for member in range(partial.dim(isl.dim_type.set)):
        functions = row_functions(partial.get_at(member))
        if not all(f.n_piece() == 1 for f in functions.values()):
            return []
        found = {}
        for k, name in enumerate(problem.names):
            # Dimensions have numbers too while sizes are named: one may be called p0.
            places = tuple(f"<{i}>" for i in range(len(problem.dims(name))))
            dims = {place: Affine.of(d) for place, d in zip(places, problem.dims(name), strict=True)}
            found[name] = Affine.from_aff(functions[f"S{k}"].get_pieces()[0][1], places).substitute(sizes | dims)
        rows.append(found)
    return rows
