"""Reciprocals that several statements take of the elements of one array are an array themselves.

    A[t]: a[t] = f(1 / s[t])              R[t]: s_reciprocal[t] = 1 / s[t]
    B[t]: b[t] = g(1 / s[t + 1])    ->    A[t]: a[t] = f(s_reciprocal[t])
                                          B[t]: b[t] = g(s_reciprocal[t + 1])

A division takes as long as eight multiplications, and longer than to store a number and to load it. The numbers are the
same.

What must hold: reciprocals are taken of elements that somebody reads, and of no others.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

import islpy as isl

from polyad import islx
from polyad.ir.array import Array
from polyad.ir.expr import Apply, Const, Expr, Read, walk
from polyad.ir.names import unique_name
from polyad.ir.program import Program
from polyad.ir.statement import Statement
from polyad.transforms.rewrite.array_graph import array_components
from polyad.transforms.rewrite.fold import rebuild_statement

__all__ = ["keep_reciprocals"]


def keep_reciprocals(program: Program) -> Program:
    """Divide once for each element of a temporary whose reciprocal several statements take, some at other elements.

    Makes smaller: the number of divisions. Statements that take the reciprocals of just the same elements are left to
    fusion and the C compiler, and so is what runs in one recurrence with the array, where steps would wait for memory.

    Args:
        program: any program.
    """
    recurrence = {a: c.arrays for c in array_components(program) if c.recurrent for a in c.arrays}
    arrays = dict(program.arrays)
    taken = {s.name for s in program.statements} | arrays.keys()
    statements = list(program.statements)
    writers = program.writers()
    taking: dict[str, list[tuple[Statement, Read]]] = {}
    for s in program.statements:
        for _, read in _reciprocals(s):
            taking.setdefault(read.array, []).append((s, read))
    for array, found in taking.items():
        if not program.arrays[array].is_movable or array not in writers:
            continue
        elements = _elements(found)
        if elements is None or any(s.array in recurrence.get(array, ()) for s, _ in found):
            continue
        name = unique_name(f"{array}_reciprocal", taken)
        taken.add(name)
        elements = elements.gist_params(program.context)
        arrays[name] = replace(arrays[array], name=name)
        position = 1 + max(i for i, s in enumerate(statements) if s.array == array)
        statements = [_reading(s, array, arrays[name]) for s in statements]
        statements.insert(position, _definition(arrays[array], name, elements, taken))
        taken.add(statements[position].name)
    if len(arrays) == len(program.arrays):
        return program
    return replace(program, arrays=arrays, statements=tuple(statements))


def _reciprocals(statement: Statement) -> Iterator[tuple[Expr, Read]]:
    """(1 / a[i], a[i]) for all of them with affine indices."""
    for node in walk(statement.body):
        match node:
            case Apply("div", (Const(value), Read(_, isl.MultiAff()) as read), dtype) if (
                value == 1 and dtype == read.dtype
            ):
                yield node, read


def _elements(found: list[tuple[Statement, Read]]) -> isl.Set | None:
    """Return the elements whose reciprocals are taken, where statements share some and not others, else None."""
    if len({s.name for s, _ in found}) < 2 or any(_is_broadcast(s, r) for s, r in found):
        return None
    ranges = [s.read_relation(r).range() for s, r in found]
    if not any(_overlap(a, b) for n, a in enumerate(ranges) for b in ranges[n + 1 :]):
        return None
    union = ranges[0]
    for one in ranges[1:]:
        union = union.union(one)
    union = union.coalesce()
    return union if union.n_basic_set() == 1 else None


def _overlap(a: isl.Set, b: isl.Set) -> bool:
    """Whether two sets have elements in common, and others."""
    return not a.is_disjoint(b) and not a.is_equal(b)


def _is_broadcast(statement: Statement, read: Read) -> bool:
    """Whether instances share an element: the C compiler divides once for many of them."""
    return not statement.read_relation(read).is_injective()


def _definition(array: Array, name: str, elements: isl.Set, taken: set[str]) -> Statement:
    """name[e] = 1 / array[e]."""
    rank = len(array.shape)
    statement = unique_name(name, taken - {name})
    dims = tuple(f"i{d}" for d in range(rank))
    domain = islx.name_dims(elements.set_tuple_name(statement), dims)
    same = isl.MultiAff.identity(domain.get_space().map_from_set())
    write, access = (same.set_tuple_name(isl.dim_type.out, n) for n in (name, array.name))
    one = Const(1.0, array.dtype)
    body = Apply("div", (one, Read(array.name, access, array.dtype)), array.dtype)
    return Statement(statement, dims, domain, name, write, body)


def _reading(statement: Statement, array: str, reciprocal: Array) -> Statement:
    """The statement with its reciprocals of an array read."""
    found = {node: read for node, read in _reciprocals(statement) if read.array == array}
    if not found:
        return statement

    def visit(expr: Expr) -> Expr | None:
        if expr not in found:
            return None
        access = found[expr].access
        assert isinstance(access, isl.MultiAff)
        return Read(reciprocal.name, access.set_tuple_name(isl.dim_type.out, reciprocal.name), reciprocal.dtype)

    return rebuild_statement(statement, visit)
