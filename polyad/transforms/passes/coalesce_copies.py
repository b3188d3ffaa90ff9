"""Write results where they are copied to: `a[e] = ...; h[m(e)] = a[e]` becomes `h[m(e)] = ...`.

What must hold: each element of a that is written or read has one place in h, which nothing else writes or reads, and no
two of them the same one.
"""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import replace

import islpy as isl

from polyad.ir.expr import Expr, Read
from polyad.ir.program import Program
from polyad.ir.statement import Statement
from polyad.transforms.rewrite.array_graph import array_components, is_outer_state
from polyad.transforms.rewrite.fold import rebuild_statement
from polyad.transforms.rewrite.inverse_access import inverse_access, is_injective

__all__ = ["coalesce_copies"]


def coalesce_copies(program: Program, keep: Collection[str] = ()) -> Program:
    """Remove temporaries whose every element is copied into another array.

    A scan's step `h_new[t, k] = f(...)`, `h[t + 1, k] = h_new[t, k]` then computes h[t + 1, k] itself, and whoever
    reads h_new[t, k] reads h[t + 1, k]; a result is likewise written to the output array directly.

    Makes smaller: the number of arrays, and of instances by those of the copy.

    Args:
        program: any program.
        keep: arrays that must stay.
    """
    copies = [s.name for s in program.statements if _copied(s) is not None]
    if not copies:
        return program
    component = {a: i for i, c in enumerate(array_components(program)) for a in c.arrays}

    def rank(name: str) -> tuple[bool, bool]:
        # A state update before a copy to an output, which may then no longer cover its source: the state can be kept
        # in few slots along time only while it is an array of its own.
        copy = program.statement(name)
        source = _copied(copy)
        assert source is not None
        return component.get(source.array) != component[copy.array], program.arrays[copy.array].role != "output"

    for name in sorted(copies, key=rank):
        program = _coalesce(program, program.statement(name), keep)
    return program


def _copied(statement: Statement) -> Read | None:
    """The read of a statement that only copies, from another array."""
    body = statement.body
    if statement.reduction is not None or not isinstance(body, Read) or body.array == statement.array:
        return None
    return body if isinstance(body.access, isl.MultiAff) and isinstance(statement.write, isl.MultiAff) else None


def _coalesce(program: Program, copy: Statement, keep: Collection[str]) -> Program:
    """The program without one copy, or the program itself where the copy has to stay."""
    read = _copied(copy)
    if read is None or not program.arrays[read.array].is_temporary or read.array in keep:
        return program
    source, target = read.array, copy.array
    if is_outer_state(program, source, target):
        return program
    inverse = inverse_access(read.access)  # { source[e] -> C[i] }
    if inverse is None or program.arrays[source].dtype != program.arrays[target].dtype:
        return program
    assert isinstance(copy.write, isl.MultiAff)
    move = copy.write.pullback_multi_aff(inverse)  # { source[e] -> target[e'] }
    writers = [s for s in program.statements if s.array == source]
    readers = [s for s in program.statements if s is not copy and any(r.array == source for r in s.reads())]
    accesses = [w.write for w in writers] + [r.access for s in readers for r in s.reads() if r.array == source]
    if not all(isinstance(a, isl.MultiAff) for a in accesses):
        return program
    if not _reductions_agree(program, copy, writers) or not _covers(program, copy, read, move, writers, readers):
        return program
    touched = {s.name for s in (*writers, *readers)}
    return program.with_statements(
        _moved(s, source, target, move) if s.name in touched else s for s in program.statements if s is not copy
    )


def _reductions_agree(program: Program, copy: Statement, writers: list[Statement]) -> bool:
    """Whether the target's elements keep their meaning when the source's statements write them."""
    own = {w.reduction for w in writers if w.reduction is not None}
    others = [s for s in program.statements if s.array == copy.array and s.reduction is not None]
    if own and any(s.reduction not in own for s in others):
        return False
    # What else contributes to a copied element would be missing from what the readers of the source see.
    copied = copy.write_relation().range()
    return all(copied.is_disjoint(s.write_relation().range()) for s in others)


def _covers(
    program: Program,
    copy: Statement,
    read: Read,
    move: isl.MultiAff,
    writers: list[Statement],
    readers: list[Statement],
) -> bool:
    """Whether the copy takes every element of its source that is written or read, or the target has room for the rest.

    Each element gets a place of its own, those that are not copied among them.

    The copy of the last state of a scan is dead where nobody reads the final state: h[t + 1] = h_new[t] for t < T - 1.
    """
    copied = copy.read_relation(read).range()
    relations = [w.write_relation() for w in writers]
    if any(w.reduction is not None for w in writers):
        # An element that nothing contributes to is read as the identity: it is not among those written.
        relations += [s.read_relation(r) for s in readers for r in s.reads() if r.array == read.array]
    touched = [r.range().intersect_params(program.context) for r in relations]
    if all(t.is_subset(copied) for t in touched):
        return is_injective(move, copied)
    if any(w.reduction is not None for w in writers):
        return False
    rest = touched[0]
    for more in touched[1:]:
        rest = rest.union(more)
    rest = rest.subtract(copied)
    return is_injective(move, copied.union(rest)) and _is_free(program, copy.array, rest.apply(move.as_map()))


def _is_free(program: Program, array: str, elements: isl.Set) -> bool:
    """Whether these are elements of an array that nobody writes or reads: { array[e] }."""
    if not program.arrays[array].is_temporary or not elements.is_subset(program.arrays[array].domain(program.params)):
        return False
    for s in program.statements:
        accesses = [s.write_relation()] if s.array == array else []
        accesses += [s.read_relation(r) for r in s.reads() if r.array == array]
        if any(not a.range().is_disjoint(elements) for a in accesses):
            return False
    return True


def _moved(statement: Statement, source: str, target: str, move: isl.MultiAff) -> Statement:
    """The statement with `target` in place of `source`, `move`: { source[e] -> target[e'] }."""

    def visit(expr: Expr) -> Expr | None:
        if isinstance(expr, Read) and expr.array == source:
            assert isinstance(expr.access, isl.MultiAff)
            return Read(target, move.pullback_multi_aff(expr.access), expr.dtype)
        return None

    result = rebuild_statement(statement, visit)
    if statement.array == source:
        assert isinstance(statement.write, isl.MultiAff)
        result = replace(result, array=target, write=move.pullback_multi_aff(statement.write))
    return result
