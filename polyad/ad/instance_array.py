"""Arrays with one element per instance of a statement: where derivative rules keep bodies, prefixes and suffixes."""

from __future__ import annotations

from dataclasses import replace

import islpy as isl

from polyad import islx
from polyad.ad.names import Names
from polyad.errors import DifferentiationError
from polyad.ir.affine import Affine
from polyad.ir.array import Array
from polyad.ir.expr import Const, Read
from polyad.ir.program import Program
from polyad.ir.statement import Statement
from polyad.transforms.rewrite.extents import dimension_range
from polyad.transforms.rewrite.rename import rename_statement

__all__ = ["instance_array", "store_body"]


def instance_array(statement: Statement, name: str, dtype: str, program: Program) -> tuple[Array, isl.MultiAff]:
    """(array, { S[s] -> array[s - low] }): a box around the domain of a statement.

    Raises:
        DifferentiationError: the domain has no box of one form for all sizes.
    """
    columns = range(len(statement.dims))
    ranges = [dimension_range(statement, c, program.arrays, program.context) for c in columns]
    known = [r for r in ranges if r is not None]
    if len(known) < len(ranges):
        unbounded = statement.dims[ranges.index(None)]
        raise DifferentiationError(
            f"{statement.where or statement.name}: the derivative needs an array over all instances of "
            f"{statement.name}, but no single expression of the sizes bounds {unbounded!r} in {statement.domain}; "
            "assume more about the sizes, or reduce over a rectangular range"
        )
    where = islx.positions(program.params, statement.dims)
    space = statement.space()
    index = [(Affine.of(d) - low).to_aff(space, where) for d, (low, _) in zip(statement.dims, known, strict=True)]
    array = Array(name, tuple(extent for _, extent in known), dtype)
    return array, islx.multi_aff(space, name, index)


def store_body(statement: Statement, program: Program, names: Names) -> tuple[Program, Statement]:
    """The statement with a body that is a number or a plain read, by an array for the body where it is more.

        a[w(s)] op= f(s)      becomes      a_term[s] = f(s);   a[w(s)] op= a_term[s]

    Returns:
        The program with the array and its definition (the statement itself not yet replaced), and the statement.
    """
    if isinstance(statement.body, Read | Const):
        return program, statement
    name = names.array(f"{statement.array}_term")
    array, access = instance_array(statement, name, program.arrays[statement.array].dtype, program)
    definition = rename_statement(
        replace(statement, array=name, write=access, reduction=None), names.statement(f"{statement.name}_term")
    )
    program = replace(program, arrays={**program.arrays, name: array}, statements=(*program.statements, definition))
    return program, replace(statement, body=Read(name, access, array.dtype))
