"""Loop-invariant code motion: temporaries lose the dimensions that their values do not change along.

    p[t, i, j] = f(a, p[t, i, j - 1])     ->     p[j] = f(a, p[j - 1])
    u[t, i, j] = p[t, i, j] * v[t, i, j]         u[t, i, j] = p[j] * v[t, i, j]

Programs read from C have a value of each variable for each step and row, whatever it is computed from.

A dimension of an array may go where in each of its writers it is one dimension x of the statement, beside a number, and
the body depends on x only through elements of arrays that lose the dimensions that x stands in. That is a greatest
fixed point: all dimensions may go until something says that they may not.

What must hold: an element has the same value wherever it is defined along the dimension, by induction over the order in
which elements are computed. No two instances may write the same element when x is gone: not of one writer, whose body
reads dimensions that its domain ties to x (p[i] = u[a] for i - 1 <= 2a <= i), nor of different ones. Therefore, nothing
depends on itself then, either: a chain p[t] = f(p[t - 1]) begins with another writer of the same element.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import replace

import islpy as isl

from polyad import islx
from polyad.ir.expr import Access, Expr, Index, Indirect, Read, children, map_expr
from polyad.ir.program import Program
from polyad.ir.statement import Statement
from polyad.transforms.rewrite.inverse_access import is_injective
from polyad.transforms.rewrite.projection import without_dims

__all__ = ["hoist_invariants"]

Columns = Mapping[int, int]  # dimension of an array -> the dimension of a statement that its index is, beside a number


def hoist_invariants(program: Program) -> Program:
    """Drop the dimensions of temporaries along which all elements are the same.

    Makes smaller: the number of instances, and the memory of temporaries.
    """
    gone = _invariant(program)
    if not gone:
        return program
    arrays = dict(program.arrays)
    for array, axes in gone.items():
        shape = tuple(e for d, e in enumerate(arrays[array].shape) if d not in axes)
        arrays[array] = replace(arrays[array], shape=shape)
    bodies = (replace(s, body=_reading(s.body, gone)) for s in program.statements)
    statements = [_smaller(s, gone[s.array]) if s.array in gone else s for s in bodies]
    return replace(program, arrays=arrays).with_statements(statements)


def _smaller(s: Statement, axes: frozenset[int]) -> Statement:
    """A writer of an array without some of the array's dimensions, and without those of its own that they are."""
    dropped = {_columns(s)[d] for d in axes}
    dims = tuple(d for c, d in enumerate(s.dims) if c not in dropped)
    domain, change = without_dims(s, s.name, [c for c in range(len(s.dims)) if c not in dropped])
    written = replace(s, write=_without(s.array, s.write, {s.array: axes}))
    return written.change_space(s.name, dims, domain, change)


def _invariant(program: Program) -> dict[str, frozenset[int]]:
    """Array -> the dimensions that it does not need."""
    writers = program.writers()
    states = {name for scan in program.scans for name in scan.states}
    found: dict[str, frozenset[int]] = {}
    columns: dict[str, Columns] = {}
    for name, own in writers.items():
        if program.arrays[name].is_temporary and name not in states and all(s.reduction is None for s in own):
            shared = [{*columns.setdefault(s.name, _columns(s))} for s in own]
            if axes := frozenset.intersection(*map(frozenset, shared)):
                found[name] = axes
    for reader in program.statements:
        for read in reader.reads():
            if isinstance(read.access, Indirect):
                found.pop(read.array, None)
    while found:
        kept = {name: _still(name, writers[name], found, columns) for name in found}
        kept = {name: axes for name, axes in kept.items() if axes}
        if kept == found:
            kept = {n: axes for n, axes in kept.items() if _apart(writers[n], axes)}
            if kept == found:
                break
        found = kept
    return found


def _columns(s: Statement) -> Columns:
    """The dimensions of an array whose index is a dimension of its definition that stands nowhere else in the write."""
    if isinstance(s.write, Indirect):
        return {}
    rank = s.write.dim(isl.dim_type.out)
    uses = [_used(s.write.get_aff(d), len(s.dims)) for d in range(rank)]
    result = {}
    for d, (column, *others) in ((d, [*u]) for d, u in enumerate(uses) if u):
        plain = s.write.get_aff(d).get_coefficient_val(isl.dim_type.in_, column).abs().is_one()
        alone = not others and s.write.get_aff(d).dim(isl.dim_type.div) == 0
        if alone and plain and sum(column in u for u in uses) == 1:
            result[d] = column
    return result


def _used(aff: isl.Aff, count: int) -> set[int]:
    return {c for c in range(count) if aff.involves_dims(isl.dim_type.in_, c, 1)}


def _still(
    array: str, writers: list[Statement], found: Mapping[str, frozenset[int]], columns: Mapping[str, Columns]
) -> frozenset[int]:
    """The dimensions that no body needs, if others may go as they are found to do."""
    needed = [{*_needed(s.body, len(s.dims), found)} for s in writers]
    return frozenset(
        d for d in found[array] if not any(columns[s.name][d] in n for s, n in zip(writers, needed, strict=True))
    )


def _needed(body: Expr, count: int, found: Mapping[str, frozenset[int]]) -> Iterator[int]:
    """The dimensions of a statement that its body depends on."""
    stack = [body]
    while stack:
        node = stack.pop()
        match node:
            case Index(value):
                yield from _used(value, count)
            case Read(array, isl.MultiAff() as access, _):
                for d in range(access.dim(isl.dim_type.out)):
                    if d not in found.get(array, ()):
                        yield from _used(access.get_aff(d), count)
            case Read(_, Indirect(index, _), _):
                stack += index
            case _:
                stack += children(node)


def _apart(writers: list[Statement], axes: frozenset[int]) -> bool:
    """Whether each element is written by one instance when dimensions are gone."""
    written: isl.Set | None = None
    for s in writers:
        smaller = _smaller(s, axes)
        if not is_injective(smaller.write, smaller.domain):
            return False
        own = smaller.write_relation().range()
        if written is not None and not written.is_disjoint(own):
            return False
        written = own if written is None else written.union(own)
    return True


def _reading(body: Expr, gone: Mapping[str, frozenset[int]]) -> Expr:
    """The body with the indices of what it reads."""

    def leaf(node: Expr) -> Expr:
        match node:
            case Read(array, access, _) if array in gone:
                return replace(node, access=_without(array, access, gone))
            case _:
                return node

    return map_expr(body, leaf)


def _without(array: str, access: Access, gone: Mapping[str, frozenset[int]]) -> Access:
    """The access without the dimensions that are gone."""
    if array not in gone:
        return access
    assert isinstance(access, isl.MultiAff), "arrays that data index keep their dimensions"
    rank = access.dim(isl.dim_type.out)
    kept = [access.get_aff(d) for d in range(rank) if d not in gone[array]]
    return islx.multi_aff(access.get_space().domain(), array, kept)
