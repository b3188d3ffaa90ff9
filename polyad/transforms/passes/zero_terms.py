"""Sums leave out the terms that are zero because an element read is defined as zero.

    y[i] = f(i)        0 < i < N - 1               y[i] = f(i)      0 < i < N - 1
    y[0] = y[N - 1] = 0                      ->
    s += y[i] * r[i]   0 <= i < N                  s += y[i] * r[i]   0 < i < N - 1

A condition in a definition cuts domains of what sums it up, as it does where it stands under the sum itself. What else
reads the zeros keeps them.

What must hold: an instance goes only where an element that it reads is defined as zero, nothing adds to that element,
and the term is then zero whatever the other factors are; the sum keeps its identity.
"""

from __future__ import annotations

from dataclasses import replace

import islpy as isl

from polyad import islx
from polyad.ir.expr import Const
from polyad.ir.program import Program
from polyad.ir.statement import Statement
from polyad.ops.registry import const
from polyad.transforms.rewrite.array_graph import array_components
from polyad.transforms.rewrite.fold import rebuild, replacing

__all__ = ["drop_zero_terms"]


def drop_zero_terms(program: Program) -> Program:
    """Cut the domains of sums whose terms vanish with an element that is defined as zero.

    Makes smaller: the number of instances. Only where the rest is as simple as the domain was.
    """
    zeros = _zeros(program)
    statements = [_cut(s, zeros, program.context) if s.reduction == "sum" else s for s in program.statements]
    if all(new is old for new, old in zip(statements, program.statements, strict=True)):
        return program
    return program.with_statements(statements)


def _zeros(program: Program) -> dict[str, isl.Set]:
    """Array -> { a[e] } its elements that are defined as zero, for those that nothing is added to.

    States of recurrences are left out: a first step unlike the others costs more than it saves.
    """
    found: dict[str, isl.Set] = {}
    recurrent = {a for c in array_components(program) if c.recurrent for a in c.arrays}
    for array, writers in program.writers().items():
        if array in recurrent or any(s.reduction is not None for s in writers):
            continue
        for s in writers:
            if isinstance(s.body, Const) and s.body.value == 0:
                image = s.write_relation().range()
                found[array] = found[array].union(image) if array in found else image
    return found


def _cut(statement: Statement, zeros: dict[str, isl.Set], context: isl.Set) -> Statement:
    domain = statement.domain
    for read in statement.reads():
        if read.array not in zeros or not isinstance(read.access, isl.MultiAff):
            continue
        vanished = zeros[read.array].preimage_multi_aff(read.access).intersect(domain)
        if vanished.intersect_params(context).is_empty():
            continue
        term = rebuild(statement.body, replacing((read, const(0, read.dtype))))
        if not isinstance(term, Const) or term.value != 0:
            continue
        rest = domain.subtract(vanished).coalesce().remove_redundancies()
        if rest.n_basic_set() <= domain.n_basic_set() and not rest.intersect_params(context).is_empty():
            domain = islx.name_dims(rest, statement.dims)
    return statement if domain is statement.domain else replace(statement, domain=domain)
