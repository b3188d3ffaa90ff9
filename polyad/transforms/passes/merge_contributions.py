"""Add up in place: the contributions of a sum that is only an addend go straight to the total.

What must hold: z takes in each element of r once, r has no other reader, and what is contributed to elements that z
does not read is left out.
"""

from __future__ import annotations

import operator
from collections.abc import Collection
from dataclasses import replace

import islpy as isl

from polyad import islx
from polyad.ir.expr import Apply, Expr, Read
from polyad.ir.program import Program
from polyad.ir.statement import Statement
from polyad.ops import apply
from polyad.transforms.rewrite.inverse_access import inverse_access

__all__ = ["accumulate", "addends_of", "without"]


def accumulate(program: Program, keep: Collection[str] = ()) -> Program:
    """Turn `r[e] += f; z[e] = a[e] + r[e]` into `z[e] = a[e]; z[e] += f`, for every such addend r.

    A bias thus becomes what the accumulation starts from, and the input and state products of a recurrent cell sum into
    one array. Where all addends are such sums no definition is left: z starts from 0.

    Makes smaller: the number of arrays.

    Args:
        program: any program.
        keep: arrays that must stay.
    """
    writers, readers = program.writers(), program.readers()
    candidates = {
        name
        for name, group in writers.items()
        if program.arrays[name].is_temporary
        and name not in keep
        and len(readers.get(name, ())) == 1
        and all(s.reduction == "sum" and isinstance(s.write, isl.MultiAff) for s in group)
    }
    statements = {s.name: s for s in program.statements}
    for total in program.statements:
        if total.reduction is not None or any(s.reduction not in (None, "sum") for s in writers[total.array]):
            continue
        for addend in [a for a in addends_of(total.body) if isinstance(a, Read) and a.array in candidates]:
            current = statements.get(total.name)
            # Its only reader has to read it only here.
            if current is None or sum(r.array == addend.array for r in total.reads()) != 1:
                continue
            merged = _merged(current, addend, writers[addend.array], program)
            if merged is None:
                continue
            rest, contributions = merged
            statements.update((c.name, c) for c in contributions)
            if rest is None:
                del statements[total.name]
            else:
                statements[total.name] = rest
    new = [statements[s.name] for s in program.statements if s.name in statements]
    if len(new) == len(program.statements) and all(map(operator.is_, new, program.statements)):
        return program
    return program.with_statements(new)


def addends_of(expr: Expr) -> list[Expr]:
    """The terms of a chain of additions; those under a subtraction's left side too, never those subtracted."""
    match expr:
        case Apply("add", (a, b), _):
            return addends_of(a) + addends_of(b)
        case Apply("sub", (a, _), _):
            return addends_of(a)
        case _:
            return [expr]


def without(expr: Expr, addend: Expr) -> Expr | None:
    """The chain without one of its terms; None when nothing is left."""
    if expr is addend:
        return None
    match expr:
        case Apply("add" | "sub" as op, (a, b), _) if addend in addends_of(a):
            left = without(a, addend)
            if left is None:
                return b if op == "add" else apply("neg", b)
            return apply(op, left, b)
        case Apply("add", (a, b), _):
            right = without(b, addend)
            return a if right is None else apply("add", a, right)
        case _:
            raise AssertionError("the addend was found in this chain")


def _merged(
    total: Statement, addend: Read, writers: list[Statement], program: Program
) -> tuple[Statement | None, list[Statement]] | None:
    """(the definition without the addend, the addend's contributions to the total), or None where it cannot be."""
    inverse = inverse_access(addend.access)  # { r[e] -> S[i] }
    arrays = program.arrays
    if inverse is None or not writers or arrays[addend.array].dtype != arrays[total.array].dtype:
        return None
    if any(r.array == addend.array for w in writers for r in w.reads()) or total.body.dtype != addend.dtype:
        return None
    assert isinstance(total.write, isl.MultiAff)
    move = total.write.pullback_multi_aff(inverse)  # { r[e] -> z[e'] }
    wanted = total.read_relation(addend).range()
    contributions = []
    for w in writers:
        assert isinstance(w.write, isl.MultiAff)
        domain = w.domain
        if not w.write_relation().range().intersect_params(program.context).is_subset(wanted):
            # What the total does not take in is read by nobody.
            domain = islx.name_dims(domain.intersect(wanted.preimage_multi_aff(w.write)).coalesce(), w.dims)
        write = move.pullback_multi_aff(w.write)
        contributions.append(replace(w, array=total.array, write=write, domain=domain))
    body = without(total.body, addend)
    return (None if body is None else replace(total, body=body)), contributions
