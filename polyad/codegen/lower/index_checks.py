"""Data-dependent indices: which are safe by construction, which are checked first, which where they are used.

An index that is computed from inputs alone is checked over all instances before anything is computed: a kernel that
refuses its inputs has written nothing. An index computed by the kernel itself (an argmax, say) can only be checked
where it is used.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass

import islpy as isl
import numpy as np

from polyad import islx
from polyad.codegen.loop_names import name_loops
from polyad.codegen.loops.ast.walk import domain_loops
from polyad.codegen.loops.nodes import Block
from polyad.codegen.loops.statement_accesses import index_of
from polyad.codegen.lower.index_range import Ranges, least_sizes
from polyad.ir.affine import Affine
from polyad.ir.expr import Access, Apply, Expr, Index, Indirect, Read, reads, render, walk
from polyad.ir.program import Program
from polyad.ir.statement import Statement

__all__ = [
    "CheckedIndex",
    "DataIndex",
    "Guarded",
    "IndexChecks",
    "index_checks",
    "index_instances",
    "indirect_accesses",
    "without_widening",
]

Guarded = Mapping[Access, tuple[int, ...]]
"""Access -> its dimensions that are checked at the place of use."""


@dataclass(frozen=True, slots=True, eq=False)
class DataIndex:
    """An index that data decide, as the user wrote it.

    Attributes:
        array: the array accessed.
        dimension: which of its dimensions.
        extent: its extent there.
        index: the index.
        dims: of the statement that it belongs to.
        before: whether it is checked before anything is computed.
    """

    array: str
    dimension: int
    extent: Affine
    index: Expr
    dims: tuple[str, ...]
    before: bool


@dataclass(frozen=True, slots=True, eq=False)
class CheckedIndex:
    """An index that is checked before anything is computed.

    Attributes:
        statement: a pseudo-statement whose instances are the distinct values of the dims that the index depends on, and
            whose body is the index.
        extent: the index must be at least 0 and less than this.
        loops: around the one instance that is the test.
        info: what callers are told.
    """

    statement: Statement
    extent: Affine
    loops: Block
    info: DataIndex


@dataclass(frozen=True, slots=True, eq=False)
class IndexChecks:
    """All checks of a program.

    Attributes:
        before: in the order in which they are made: an index used by another index comes first.
        guarded: those made at the place of use.
        at_use: descriptions of the latter.
    """

    before: tuple[CheckedIndex, ...]
    guarded: dict[Access, tuple[int, ...]]
    at_use: tuple[DataIndex, ...]


def index_checks(program: Program, taken: set[str]) -> IndexChecks:
    """Sort all data-dependent indices of a program.

    Args:
        program: the program.
        taken: identifiers that no iterator of the tests may have.
    """
    if not any(True for s in program.statements for _ in indirect_accesses(s)):
        return IndexChecks((), {}, ())
    least = least_sizes(program.context)
    before: dict[tuple[str, ...], CheckedIndex] = {}
    guarded: dict[Access, tuple[int, ...]] = {}
    at_use: dict[tuple[str, ...], DataIndex] = {}
    for statement in program.statements:
        ranges = Ranges(least, statement.dims)
        for array, access in indirect_accesses(statement):
            for d, index in enumerate(access.index):
                extent = program.arrays[array].shape[d]
                if isinstance(index, Index) or ranges.inside(index, extent):
                    continue
                from_inputs = all(program.arrays[r.array].role == "input" for r in reads(index))
                info = DataIndex(array, d, extent, without_widening(index), statement.dims, from_inputs)
                name = render(info.index, info.dims)
                if from_inputs:
                    domain = index_instances(statement, index, f"check_{len(before)}")
                    # An index of two arrays that are as long is one: what is in the first is in the second.
                    key = (str(extent), name, str(domain.set_tuple_name("")))
                    if key not in before:
                        test, dims = domain.get_tuple_name(), statement.dims
                        pseudo = Statement(test, dims, domain, array, statement.write, index)
                        loops = name_loops(domain_loops(domain, program.context, dims), {test: dims}, taken)
                        before[key] = CheckedIndex(pseudo, extent, loops, info)
                else:
                    # An access may stand twice in an expression; then one value is there, or two that are equal.
                    guarded[access] = tuple(dict.fromkeys((*guarded.get(access, ()), d)))
                    at_use[(array, str(d), name)] = info
    return IndexChecks(tuple(before.values()), guarded, tuple(at_use.values()))


def without_widening(index: Expr) -> Expr:
    """The index as the user wrote it: indices of 32 bits are converted to int64, which keeps their value."""
    while isinstance(index, Apply) and index.op == "cast" and np.can_cast(index.args[0].dtype, index.dtype):
        (index,) = index.args
    return index


def indirect_accesses(statement: Statement) -> Iterator[tuple[str, Indirect]]:
    """(array, data-dependent access) of a statement, those inside of an index before the index."""
    for expr in (statement.body, *(statement.write.index if isinstance(statement.write, Indirect) else ())):
        for read in reversed(list(reads(expr))):
            if isinstance(read.access, Indirect):
                yield read.array, read.access
    if isinstance(statement.write, Indirect):
        yield statement.array, statement.write


def _dims_of(expr: Expr, dims: tuple[str, ...]) -> set[str]:
    """The dims that an expression depends on."""
    used: set[str] = set()
    for node in walk(expr):
        match node:
            case Index(value):
                used |= Affine.from_aff(value, dims).names()
            case Read(_, access, _):
                used |= {n for i in index_of(access, dims) if i is not None for n in i.names()}
            case _:
                pass
    return used & set(dims)


def index_instances(statement: Statement, index: Expr, name: str) -> isl.Set:
    """The values that an index is computed for, each once.

    Returns:
        { name[dims] : some instance has these values of the dims that the index depends on }, other dims 0.
    """
    used = _dims_of(index, statement.dims)
    domain = statement.domain
    for position, dim in enumerate(statement.dims):
        if dim not in used:
            domain = domain.project_out(isl.dim_type.set, position, 1).insert_dims(isl.dim_type.set, position, 1)
            domain = domain.fix_val(isl.dim_type.set, position, isl.Val(0))
    return islx.name_dims(domain.set_tuple_name(name), statement.dims).coalesce()
