"""Starts of the sums of a recurrence, apart from those of other sums of the same array.

    z[t] = b,  0 <= t < T                        z[t] = b,  1 <= t < T          beside the steps
    z[0] += W h0                        ->       z[0] = b                       before them
    z[t] += W h[t - 1],  1 <= t < T

One definition for all steps would have to stand before the first of them, and keep all of z in memory. Each of the two
stands where its sums are (schedule/choose/sinking.py).

What must hold: the new definitions are the old one on parts of its domain, disjoint ones that make up the whole.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

import islpy as isl

from polyad.ir.names import unique_name
from polyad.ir.program import Program
from polyad.ir.statement import Statement
from polyad.transforms.rewrite.array_graph import array_components
from polyad.transforms.rewrite.inverse_access import is_injective
from polyad.transforms.rewrite.rename import rename_statement

__all__ = ["split_starts"]


def split_starts(program: Program) -> Program:
    """Split definitions by which of the contributions that follow belong to a recurrence.

    Makes larger: the number of statements, by one for each contribution with elements of its own at most.

    Args:
        program: with explicit identity definitions.
    """
    recurrent = {a: {*c.arrays} for c in array_components(program) if c.recurrent for a in c.arrays}
    taken = {s.name for s in program.statements}
    replaced: dict[str, list[Statement]] = {}
    for array, writers in program.writers().items():
        if array not in recurrent or not program.arrays[array].is_temporary:
            continue
        added = [s for s in writers if s.reduction is not None]
        inside = [s for s in added if recurrent[array] & {r.array for r in s.reads()}]
        outside = [s for s in added if s not in inside]
        if not inside or not outside:
            continue
        for s in writers:
            if s.reduction is None and not recurrent[array] & {r.array for r in s.reads()}:
                pieces = _pieces(s, inside, outside, program.context)
                if len(pieces) > 1:
                    replaced[s.name] = _named(s, pieces, taken)
    if not replaced:
        return program
    return program.with_statements(new for s in program.statements for new in replaced.get(s.name, (s,)))


def _pieces(
    start: Statement, inside: Sequence[Statement], outside: Sequence[Statement], context: isl.Set
) -> list[isl.Set]:
    """{ start[i] } for what is added inside of the recurrence alone, and for the rest; one where that is no gain."""
    whole = start.domain.intersect_params(context)
    if not is_injective(start.write, start.domain) or whole.n_basic_set() != 1:
        return [start.domain]
    rest = whole
    for s in outside:
        rest = rest.subtract(_added_to(s, start))
    found, left = [], whole
    for s in inside:
        piece = rest.intersect(_added_to(s, start)).coalesce()
        if not piece.is_empty():
            found.append(piece)
            rest, left = rest.subtract(piece), left.subtract(piece)
    left = left.coalesce()
    if left.is_empty() or any(p.n_basic_set() != 1 for p in (*found, left)):
        return [start.domain]
    return [p.gist_params(context).remove_redundancies() for p in (*found, left)]


def _added_to(s: Statement, start: Statement) -> isl.Set:
    """{ start[i] } whose elements a contribution adds to, at sizes for which it adds anything."""
    elements = start.write_relation().intersect_range(s.write_relation().range()).domain()
    return elements.drop_constraints_not_involving_dims(isl.dim_type.set, 0, elements.dim(isl.dim_type.set))


def _named(start: Statement, pieces: Sequence[isl.Set], taken: set[str]) -> list[Statement]:
    result: list[Statement] = []
    for piece in pieces:
        s = replace(start, domain=piece)
        if result:
            s = rename_statement(s, unique_name(start.name, taken))
            taken.add(s.name)
        result.append(s)
    return result
