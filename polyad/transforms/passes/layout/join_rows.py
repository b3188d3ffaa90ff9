"""Short rows that lie one behind the other in memory become one long row.

    y[n, k, l] = f(x[n, k, l])     0 <= k, l < 28    ->    y_[n, p] = f(x_[n, p])     0 <= p < 784

A loop over 28 elements is one vector, its remainder and what stands around both: one over all pixels of a small image
is vectors throughout. Temporaries whose last two indices are these dimensions get one index in their place; arrays of
the caller are read as they are, x[n, p // 28, p % 28], which lies at 28 (p // 28) + p % 28 = p.

What must hold: both dimensions range over all of the array's last two, for all values of the others, and nothing
depends on one of them alone; no order is told by them, so recurrences and what touches them stay; an array is the same
function of its position in memory.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace

import islpy as isl

from polyad import islx
from polyad.analysis.contraction import matrix_product_of
from polyad.analysis.plain_axes import plain_axes, separable, used_dims
from polyad.ir.affine import Affine
from polyad.ir.expr import Access, Expr, Index, Indirect, Read
from polyad.ir.program import Program
from polyad.ir.statement import Statement
from polyad.machine import MACHINE, Machine
from polyad.transforms.rewrite.array_graph import array_components
from polyad.transforms.rewrite.fold import rebuild_statement

__all__ = ["join_rows"]


@dataclass(frozen=True, slots=True)
class _Rows:
    """Two dimensions of a statement that are rows and what is in them.

    Attributes:
        row: position of the dimension that counts rows.
        column: of that within a row.
        length: of a row.
        count: of rows.
    """

    row: int
    column: int
    length: int
    count: int


def join_rows(program: Program, machine: Machine = MACHINE) -> Program:
    """Make one dimension of short rows and what is in them.

    Makes smaller: the number of loops of few iterations.

    Args:
        program: any program.
        machine: says which rows are short, and how many elements stay in a first-level cache: where not all that
            touches an array can have its rows joined, these are as far apart as its writer and its readers.
    """
    recurrent = {a for c in array_components(program) if c.recurrent for a in c.arrays}
    segmented = {a.name for a in program.arrays.values() if a.is_temporary and not a.is_movable}
    elsewhere = {a for s in program.statements for a, access in _accesses(s) if not isinstance(access, isl.MultiAff)}
    fixed = recurrent | segmented | elsewhere
    found = {s.name: rows for s in program.statements if (rows := _rows(program, s, fixed, machine)) is not None}
    while found:
        joined = {a for s in program.statements if s.name in found for a in _along(program, s, found[s.name])}
        kept = {
            array
            for s in program.statements
            if s.name not in found and s.reduction is not None and matrix_product_of(s) is None
            for array, _ in _accesses(s)
        }
        if joined.isdisjoint(kept):
            break
        found = {
            s.name: found[s.name]
            for s in program.statements
            if s.name in found and kept.isdisjoint(_along(program, s, found[s.name]))
        }
    if not found:
        return program
    arrays = dict(program.arrays)
    moves: dict[str, isl.MultiAff] = {}  # { a[.., x, y] -> a[.., length x + y] }
    for name in joined:
        array = arrays[name]
        *outer, count, length = array.shape
        arrays[name] = replace(array, shape=(*outer, count * length.constant))
        moves[name] = _flattening(array.domain(program.params).get_space(), name, length.constant)
    statements = []
    for s in program.statements:
        new = _counted(s, found[s.name]) if s.name in found else s
        statements.append(_rewritten(new, moves))
    return replace(program, arrays=arrays, statements=tuple(statements))


def _along(program: Program, s: Statement, rows: _Rows) -> Iterator[str]:
    """The temporaries that a statement runs through in rows."""
    for array, access in _accesses(s):
        if program.arrays[array].is_movable and rows.row in used_dims(access):
            yield array


def _accesses(s: Statement) -> Iterator[tuple[str, Access]]:
    yield s.array, s.write
    yield from ((r.array, r.access) for r in s.reads())


def _rows(program: Program, s: Statement, fixed: set[str], machine: Machine) -> _Rows | None:
    """The rows that a statement runs along, where they can be joined and are short."""
    if any(array in fixed for array, _ in _accesses(s)) or matrix_product_of(s) is not None:
        return None
    plain = [(program.arrays[array].shape, plain_axes(access, len(s.dims))) for array, access in _accesses(s)]
    found: set[tuple[int, int]] = set()
    for shape, axes in plain:
        rank = len(shape)
        if rank >= 2 and rank - 1 in axes and rank - 2 in axes:
            found.add((axes.index(rank - 2), axes.index(rank - 1)))
    if len(found) != 1:
        return None
    (row, column), *_ = found
    extents = [shape[-2:] for shape, axes in plain if axes[row] != -1 or axes[column] != -1]
    if any((axes[row], axes[column]) not in ((-1, -1), (len(shape) - 2, len(shape) - 1)) for shape, axes in plain):
        return None
    if any(e != extents[0] or not all(x.is_constant for x in e) for e in extents):
        return None
    count, length = (e.constant for e in extents[0])
    short, most = machine.joined
    if not 2 <= length < short or length % machine.piece == 0 or count < 2 or count * length > most:
        return None  # rows of whole vectors lose nothing
    if any(
        isinstance(e, Index) and any(e.value.involves_dims(isl.dim_type.in_, d, 1) for d in (row, column))
        for e in s.expressions()
    ):
        return None
    domain = s.domain.intersect_params(program.context)
    whole = {row, column} <= separable(s) and all(
        domain.dim_min_val(d).is_zero() and domain.dim_max_val(d).to_python() == e - 1
        for d, e in ((row, count), (column, length))
    )
    return _Rows(row, column, length, count) if whole and s.domain.n_basic_set() == 1 else None


def _counted(s: Statement, rows: _Rows) -> Statement:
    """The statement over the position in all rows, under the name of the dimension within one."""
    dims = tuple(d for i, d in enumerate(s.dims) if i != rows.row)
    position = Affine.of(s.dims[rows.column])
    space, where = islx.space(s.params(), s.name, dims), islx.positions(s.params(), dims)
    values = [Affine.of(d) if i != rows.row else position // rows.length for i, d in enumerate(s.dims)]
    values[rows.column] = position - position // rows.length * rows.length
    change = islx.multi_aff(space, s.name, [v.to_aff(space, where) for v in values])  # { S[new] -> S[old] }
    domain = s.domain.preimage_multi_aff(change).coalesce().remove_redundancies()
    return s.change_space(s.name, dims, islx.name_dims(domain, dims), change)


def _flattening(space: isl.Space, name: str, length: int) -> isl.MultiAff:
    local = isl.LocalSpace.from_space(space)
    affs = [isl.Aff.var_on_domain(local, isl.dim_type.set, i) for i in range(space.dim(isl.dim_type.set))]
    return islx.multi_aff(space, name, [*affs[:-2], affs[-2] * length + affs[-1]])


def _rewritten(s: Statement, moves: Mapping[str, isl.MultiAff]) -> Statement:
    """The statement on arrays of joined rows."""

    def visit(expr: Expr) -> Expr | None:
        if isinstance(expr, Read) and expr.array in moves and not isinstance(expr.access, Indirect):
            return replace(expr, access=moves[expr.array].pullback_multi_aff(expr.access))
        return None

    result = rebuild_statement(s, visit)
    if s.array in moves:
        assert isinstance(s.write, isl.MultiAff)
        result = replace(result, write=moves[s.array].pullback_multi_aff(s.write))
    return result
