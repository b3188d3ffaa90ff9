"""Programs as their own text reads: what is planned for them is a function of that text.

isl keeps equal sets in many forms, and what is made from them follows the form (`islx.settled`). A program that was
built, one that was read from its text, and one that went through passes would get different loops, where all of them
say the same.
"""

from __future__ import annotations

from collections.abc import MutableMapping
from dataclasses import dataclass, field, replace

import islpy as isl

from polyad import islx
from polyad.ir.expr import Access, Expr, Index, Indirect, Read, map_expr, render_access
from polyad.ir.program import Program
from polyad.ir.statement import Statement

__all__ = ["settled"]


def settled(program: Program, known: MutableMapping[str, isl.Set] | None = None) -> Program:
    """The same equations with sets and functions as isl reads them from their text.

    Accesses of a statement that data choose in the same way are one access. Functions without quotients are their
    coefficients: they have one form.

    Args:
        program: any.
        known: text -> domain, of programs that become each other; it grows. Reading takes fifty times as long as
            writing.
    """
    domains = {} if known is None else known
    return replace(
        program,
        context=islx.settled(program.context),
        statements=tuple(_statement(s, domains) for s in program.statements),
    )


def _statement(statement: Statement, domains: MutableMapping[str, isl.Set]) -> Statement:
    within, text = _Within(statement.dims), str(statement.domain)
    if text not in domains:
        domains[text] = islx.settled(statement.domain)
    return replace(
        statement,
        domain=islx.name_dims(domains[text], statement.dims),
        write=within.access(statement.array, statement.write),
        body=map_expr(statement.body, within.leaf),
    )


@dataclass(frozen=True, slots=True, eq=False)
class _Within:
    """The expressions of a statement.

    Attributes:
        dims: of the statement.
        chosen: the text of an access that data choose -> the access.
    """

    dims: tuple[str, ...]
    chosen: dict[str, Indirect] = field(default_factory=dict)

    def leaf(self, expr: Expr) -> Expr:
        match expr:
            case Index(value):
                return Index(islx.settled(value)) if _has_quotients(value) else expr
            case Read(array, access, _):
                new = self.access(array, access)
                return expr if new is access else replace(expr, access=new)
            case _:
                return expr

    def access(self, array: str, access: Access) -> Access:
        if not isinstance(access, Indirect):
            affs = (access.get_aff(i) for i in range(access.dim(isl.dim_type.out)))
            return islx.settled(access) if any(map(_has_quotients, affs)) else access
        text = render_access(array, access, self.dims)
        if text not in self.chosen:
            index = tuple(map_expr(i, self.leaf) for i in access.index)
            self.chosen[text] = Indirect(index, islx.settled(access.may))
        return self.chosen[text]


def _has_quotients(function: isl.Aff) -> bool:
    return bool(function.dim(isl.dim_type.div))
