"""Renaming statements and arrays, in every place where isl carries their names too."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace

import islpy as isl

from polyad import islx
from polyad.ir.expr import Access, Expr, Indirect, Read, map_expr
from polyad.ir.program import Program
from polyad.ir.statement import Statement

__all__ = ["redirect_access", "rename", "rename_arrays", "rename_statement"]


def rename(program: Program, statements: Mapping[str, str], arrays: Mapping[str, str]) -> Program:
    """The same program with other names.

    Args:
        program: any program.
        statements: old statement name -> new one; those not mentioned keep theirs.
        arrays: old array name -> new one, likewise.
    """
    renamed = []
    for s in program.statements:
        s = rename_arrays(s, arrays)
        renamed.append(rename_statement(s, statements[s.name]) if s.name in statements else s)
    return replace(
        program,
        arrays={(new := arrays.get(n, n)): replace(a, name=new) for n, a in program.arrays.items()},
        statements=tuple(renamed),
        inputs=tuple(arrays.get(n, n) for n in program.inputs),
        outputs=tuple(arrays.get(n, n) for n in program.outputs),
        scans=tuple(replace(s, states=tuple(arrays.get(n, n) for n in s.states)) for s in program.scans),
    )


def rename_statement(statement: Statement, name: str) -> Statement:
    """The same equation under another statement name: { name[dims] } in place of { S[dims] }."""
    if name == statement.name:
        return statement
    domain = statement.domain.set_tuple_name(name)
    space = islx.space(statement.params(), name, statement.dims)
    columns = range(len(statement.dims))
    return statement.change_space(
        name, statement.dims, domain, islx.projection(space, statement.space(), list(columns))
    )


def redirect_access(access: Access, array: str) -> Access:
    """The same index function { S[i] -> a[index] } into another array."""
    if isinstance(access, isl.MultiAff):
        return access.set_tuple_name(isl.dim_type.out, array)
    return Indirect(access.index, access.may.set_tuple_name(isl.dim_type.out, array))


def rename_arrays(statement: Statement, arrays: Mapping[str, str]) -> Statement:
    """The same equation about other arrays of the same shapes, old name -> new name."""

    def leaf(expr: Expr) -> Expr:
        if isinstance(expr, Read) and expr.array in arrays:
            new = arrays[expr.array]
            return Read(new, redirect_access(expr.access, new), expr.dtype)
        return expr

    if not (statement.array in arrays or any(r.array in arrays for r in statement.reads())):
        return statement
    write, array = statement.write, arrays.get(statement.array, statement.array)
    if isinstance(write, Indirect):
        write = Indirect(tuple(map_expr(i, leaf) for i in write.index), write.may)
    return replace(statement, array=array, write=redirect_access(write, array), body=map_expr(statement.body, leaf))
