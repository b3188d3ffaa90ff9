"""Rewriting every index expression of a statement."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace

import islpy as isl

from polyad import islx
from polyad.ir.expr import Access, Expr, Index, Indirect, Read, map_expr
from polyad.ir.statement import Statement

__all__ = ["map_indices"]


def map_indices(
    statement: Statement,
    space: isl.Space,
    index: Callable[[isl.Aff], isl.Aff],
    may: Callable[[isl.Map], isl.Map],
) -> Statement:
    """The statement with rewritten accesses and index values; its domain and dimensions are left to the caller.

    Args:
        statement: any statement.
        space: { S[new dims] }.
        index: old index expression -> the same over `space`.
        may: old may-relation of a data-dependent access -> the same over `space`.
    """

    def access(old: Access) -> Access:
        if isinstance(old, Indirect):
            return Indirect(tuple(map_expr(i, leaf) for i in old.index), may(old.may))
        name = old.get_tuple_name(isl.dim_type.out) or ""
        return islx.multi_aff(space, name, [index(old.get_aff(i)) for i in range(old.dim(isl.dim_type.out))])

    def leaf(node: Expr) -> Expr:
        match node:
            case Index(value):
                return Index(index(value))
            case Read(_, Indirect(inside, relation), _):
                return replace(node, access=Indirect(inside, may(relation)))  # map_expr has been inside
            case Read(_, old, _):
                return replace(node, access=access(old))
            case _:
                return node

    return replace(statement, write=access(statement.write), body=map_expr(statement.body, leaf))
