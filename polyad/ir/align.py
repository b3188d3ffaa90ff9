"""Bringing all isl objects of a statement to one list of parameters."""

from __future__ import annotations

from dataclasses import replace

import islpy as isl

from polyad.ir.expr import Access, Expr, Index, Indirect, Read, map_expr
from polyad.ir.statement import Statement

__all__ = ["align_statement"]


def _access(access: Access, params: isl.Space) -> Access:
    if isinstance(access, Indirect):
        return Indirect(tuple(_expr(i, params) for i in access.index), access.may.align_params(params))
    return access.align_params(params)


def _expr(expr: Expr, params: isl.Space) -> Expr:
    def leaf(node: Expr) -> Expr:
        match node:
            case Index(value):
                return Index(value.align_params(params))
            case Read(_, Indirect(index, may), _):
                return replace(node, access=Indirect(index, may.align_params(params)))
            case Read(_, isl.MultiAff() as access, _):
                return replace(node, access=access.align_params(params))
            case _:
                return node

    return map_expr(expr, leaf)


def align_statement(statement: Statement, params: isl.Space) -> Statement:
    """The statement with every isl object over the parameters of `params`, in that order."""
    return replace(
        statement,
        domain=statement.domain.align_params(params),
        write=_access(statement.write, params),
        body=_expr(statement.body, params),
    )
