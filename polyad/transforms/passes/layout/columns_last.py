"""Renumbering of the memory of arrays: a dimension goes last, so that its elements lie side by side.

An array is the same function of its index under another numbering. What must hold: every access to an array is
renumbered alike, so arrays that are accessed through data, or by a scan, stay (`only_affine`). Of an input a copy is
renumbered, from which only is read what runs along that dimension.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace

import islpy as isl

from polyad.analysis.plain_axes import plain_axes
from polyad.ir.affine import Affine
from polyad.ir.array import Array
from polyad.ir.expr import Expr, Read
from polyad.ir.names import unique_name
from polyad.ir.program import Program
from polyad.ir.statement import Statement
from polyad.transforms.rewrite.fold import rebuild_statement
from polyad.transforms.rewrite.permuted_copy import column_last, permutation, permuted_copy

__all__ = ["Columns", "columns_last", "innermost", "only_affine"]

Columns = Mapping[str, int]  # array -> which of its dimensions goes last


def columns_last(program: Program, last: Columns) -> Program:
    """The program with the arrays renumbered."""
    names = set(program.arrays)
    arrays: dict[str, Array] = {}
    moves: dict[str, isl.MultiAff] = {}  # { a[e] -> a'[e'] }
    copies: dict[str, str] = {}
    for name, array in program.arrays.items():
        rank = len(array.shape)
        column = last.get(name, rank - 1)
        if column == rank - 1:
            arrays[name] = array
            continue
        order = column_last(rank, column)
        target = name
        if name in program.inputs:
            arrays[name] = array
            target = unique_name(f"{name}_columns", names)
            names.add(target)
            copies[name] = target
        arrays[target] = Array(target, tuple(array.shape[i] for i in order), array.dtype)
        moves[name] = permutation(array.domain(program.params).get_space(), target, order)
    taken = {s.name for s in program.statements}
    made = []
    for name, target in copies.items():
        label = unique_name(target, taken)
        taken.add(label)
        made.append(permuted_copy(program, program.arrays[name], target, label, moves[name]))
    changed = [_rewritten(s, moves, copies, last) for s in program.statements]
    return replace(program, arrays=arrays).with_statements([*made, *changed])


def _rewritten(s: Statement, moves: Mapping[str, isl.MultiAff], copies: Mapping[str, str], last: Columns) -> Statement:
    """The statement on renumbered arrays; of an input, only what runs along its column is read from the copy."""
    along = {
        d
        for array, access in s.accesses()
        if array in moves and array not in copies and isinstance(access, isl.MultiAff)
        for d, position in enumerate(plain_axes(access, len(s.dims)))
        if position == last[array]
    }
    if s.array not in moves and isinstance(s.write, isl.MultiAff):
        rank = s.write.dim(isl.dim_type.out)
        along |= {d for d, position in enumerate(plain_axes(s.write, len(s.dims))) if position == rank - 1 >= 0}

    def visit(expr: Expr) -> Expr | None:
        if not isinstance(expr, Read) or expr.array not in moves or not isinstance(expr.access, isl.MultiAff):
            return None
        if expr.array in copies and not any(plain_axes(expr.access, len(s.dims))[d] == last[expr.array] for d in along):
            return None
        moved = moves[expr.array].pullback_multi_aff(expr.access)
        return Read(copies.get(expr.array, expr.array), moved, expr.dtype)

    result = rebuild_statement(s, visit)
    if s.array in moves:
        assert isinstance(s.write, isl.MultiAff)
        result = replace(result, write=moves[s.array].pullback_multi_aff(s.write))
    return result


def only_affine(program: Program) -> set[str]:
    """The arrays that are accessed at affine places alone, and are no states of scans."""
    elsewhere = {state for scan in program.scans for state in scan.states}
    for s in program.statements:
        accesses = s.accesses()
        elsewhere |= {array for array, access in accesses if not isinstance(access, isl.MultiAff)}
    return set(program.arrays) - elsewhere


def innermost(array: Array) -> int:
    """The last index that has more than one value."""
    return max((i for i, extent in enumerate(array.shape) if extent != Affine.of(1)), default=0)
