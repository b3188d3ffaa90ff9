"""Copies of inputs in which neighbouring elements of a result find their operands side by side.

    z[t, b, n] += U[n, k] * h[t, b, k]     ->     U_columns[k, n] = U[n, k]
                                                  z[t, b, n] += U_columns[k, n] * h[t, b, k]

On a GPU the threads of a warp have neighbouring elements of a result, along its last dimension, and run in step: what
they read at once is one access to memory where it lies side by side, and as many as there are threads where it does
not. A copy pays where an operand is read again and again: where the statement has further dimensions than those that
index it. A copy costs as much as one such read. Products that are computed in tiles read their operands in any order
(codegen/cuda/tiles.py). Sums and their order stay what they are.
"""

from __future__ import annotations

from dataclasses import replace

import islpy as isl

from polyad.analysis.plain_axes import plain_axes
from polyad.ir.array import Array
from polyad.ir.expr import Expr, Read
from polyad.ir.names import unique_name
from polyad.ir.program import Program
from polyad.ir.statement import Statement
from polyad.transforms.rewrite.array_graph import array_components
from polyad.transforms.rewrite.extents import dimension_range
from polyad.transforms.rewrite.fold import rebuild_statement
from polyad.transforms.rewrite.permuted_copy import column_last, permutation, permuted_copy
from polyad.transforms.rewrite.sums.product_extents import product_extents

__all__ = ["operand_columns"]


def operand_columns(program: Program) -> Program:
    """Read inputs from copies whose last dimension is that of the results.

    Makes smaller: the number of memory accesses of threads that run in step.

    Args:
        program: with explicit identity definitions (transforms.initialise).
    """
    copies: dict[tuple[str, int], str] = {}
    names = set(program.arrays)
    recurrent = {a for c in array_components(program) if c.recurrent for a in c.arrays}
    changed = []
    for statement in program.statements:

        def visit(expr: Expr, s: Statement = statement) -> Expr | None:
            column = _column(program, s, expr) if isinstance(expr, Read) else None
            if column is None:
                return None
            assert isinstance(expr, Read) and isinstance(expr.access, isl.MultiAff)
            target = copies.get((expr.array, column))
            if target is None:
                target = copies[expr.array, column] = unique_name(f"{expr.array}_columns", names)
                names.add(target)
            return Read(target, _move(program, expr.array, target, column).pullback_multi_aff(expr.access), expr.dtype)

        stays = statement.reduction is None or (statement.array not in recurrent and _in_tiles(program, statement))
        changed.append(statement if stays else rebuild_statement(statement, visit))
    if not copies:
        return program
    arrays, made, taken = dict(program.arrays), [], {s.name for s in program.statements}
    for (name, column), target in copies.items():
        array = program.arrays[name]
        order = column_last(len(array.shape), column)
        arrays[target] = Array(target, tuple(array.shape[i] for i in order), array.dtype)
        label = unique_name(target, taken)
        taken.add(label)
        made.append(permuted_copy(program, array, target, label, _move(program, name, target, column)))
    return replace(program, arrays=arrays).with_statements([*made, *changed])


def _in_tiles(program: Program, s: Statement) -> bool:
    extents = product_extents(program, s)
    return extents is not None and extents.in_tiles


def _move(program: Program, name: str, target: str, column: int) -> isl.MultiAff:
    """{ array[e] -> copy[e, the column last] }."""
    array = program.arrays[name]
    return permutation(array.domain(program.params).get_space(), target, column_last(len(array.shape), column))


def _column(program: Program, s: Statement, read: Read) -> int | None:
    """Return which dimension of an operand should be the last one; None where it stays as it is."""
    if read.array not in program.inputs or not isinstance(read.access, isl.MultiAff):
        return None
    if not isinstance(s.write, isl.MultiAff) or read.array in program.in_place.values():
        return None
    rank, last = len(program.arrays[read.array].shape), len(program.arrays[s.array].shape) - 1
    written, used = plain_axes(s.write, len(s.dims)), plain_axes(read.access, len(s.dims))
    found = [d for d in range(len(s.dims)) if written[d] == last and last >= 0]
    if len(found) != 1 or rank < 2:
        return None
    column = used[found[0]]
    if column is None or not 0 <= column < rank - 1:
        return None
    again = [d for d in range(len(s.dims)) if used[d] == -1]
    return column if any(_is_repeated(program, s, d) for d in again) else None


def _is_repeated(program: Program, s: Statement, d: int) -> bool:
    """Whether a dimension has several iterations, or nobody knows."""
    found = dimension_range(s, d, program.arrays, program.context)
    return found is None or not found[1].is_constant or found[1].constant > 1
