"""Sums of sums are one sum: what is added up only to be added to others goes there itself.

    r[e] += f(e)    for e in D              z[i] += f(i + 1)    for i + 1 in D and 0 <= i < n
    z[i] += r[i + 1]  for 0 <= i < n   ->   z[n - 1] += f(0)    where 0 is in D
    z[n - 1] += r[0]

The adjoint of a copy with a border is such a sum: of what reads the copy, each element of it once, into what was
copied.

What must hold: no element of r is read twice, by nobody else, and each term of it is added where it is read.
"""

from __future__ import annotations

from collections.abc import Collection, Sequence
from dataclasses import replace
from itertools import combinations

import islpy as isl

from polyad import islx
from polyad.ir.names import unique_name
from polyad.ir.program import Program
from polyad.ir.statement import Statement
from polyad.machine import MACHINE, Machine
from polyad.transforms.passes.merge_contributions import addends_of, without
from polyad.transforms.rewrite.inverse_access import inverse_access
from polyad.transforms.rewrite.rename import rename_statement

__all__ = ["forward_sums"]


def forward_sums(program: Program, machine: Machine = MACHINE, keep: Collection[str] = ()) -> Program:
    """Add the terms of temporaries that are sums to the sums that these are added to, or begin with.

    They are terms of single elements: a contraction is not cut. Where there is one sum that they are added to, a
    definition, `accumulate` does so for all terms.

    Makes smaller: the number of arrays, and of instances by those that read them.

    Args:
        program: any program.
        machine: says into how many sums a sum may go.
        keep: arrays that must stay.
    """
    taken = {s.name for s in program.statements}
    writers, readers = program.writers(), program.readers()
    for array in [a.name for a in program.arrays.values() if a.is_temporary and a.name not in keep]:
        terms, takers = writers.get(array, ()), readers.get(array, ())
        if all(s.reduction == "sum" for s in terms) and 1 < len(takers) <= machine.classes:
            new = _forwarded(program, array, terms, takers, taken)
            if new is not None:
                gone = {s.name for s in (*terms, *takers)}
                program = program.with_statements((*(s for s in program.statements if s.name not in gone), *new))
                writers, readers = program.writers(), program.readers()
    return program


def _forwarded(
    program: Program, array: str, terms: Sequence[Statement], takers: Sequence[Statement], taken: set[str]
) -> list[Statement] | None:
    """The terms where they are taken, and what is left of the takers; None where they cannot be."""
    found = [_taken(s, array, program) for s in takers]
    if any(r.array == array for s in terms for r in s.reads()) or any(inverse_access(s.write) is None for s in terms):
        return None
    context = program.context
    seen = [t.read_relation(r).range() for t in takers for r in t.reads() if r.array == array]
    seen = [s.intersect_params(context) for s in seen]
    if any(f is None for f in found) or not all(a.is_disjoint(b) for a, b in combinations(seen, 2)):
        return None
    result = []
    for taker, place, wanted in zip(takers, found, seen, strict=True):
        assert place is not None
        rest = without(taker.body, next(r for r in taker.reads() if r.array == array))
        result += [replace(taker, body=rest)] if rest is not None else []
        for term in terms:
            if not isinstance(term.write, isl.MultiAff):
                return None
            domain = term.domain.intersect(wanted.preimage_multi_aff(term.write))
            if not domain.intersect_params(context).is_empty():
                new = replace(
                    term,
                    array=taker.array,
                    write=place.pullback_multi_aff(term.write),
                    domain=islx.name_dims(domain.coalesce(), term.dims),
                )
                name = unique_name(term.name, taken)
                taken.add(name)
                result.append(rename_statement(new, name))
    return result


def _taken(taker: Statement, array: str, program: Program) -> isl.MultiAff | None:
    """{ r[e] -> z[e'] }: the sum that an element is added to; None where something else is done with it."""
    reads = [r for r in taker.reads() if r.array == array]
    total = [s.reduction for s in program.writers()[taker.array]]
    if len(reads) != 1 or not {*total} <= {None, "sum"} or inverse_access(taker.write) is None:
        return None
    (read,) = reads
    if taker.reduction is None and not any(a is read for a in addends_of(taker.body)):
        return None
    if taker.reduction is not None and taker.body is not read:
        return None
    if not program.arrays[taker.array].dtype == program.arrays[array].dtype == taker.body.dtype:
        return None
    moved = taker.read_relation(read).reverse().apply_range(taker.write_relation())
    moved = moved.intersect_params(program.context)
    pieces = islx.functions(moved) if moved.is_single_valued() else []  # on a border the domain says where
    return pieces[0][1] if len(pieces) == 1 else None
