"""Reading a statement's result back instead of computing it again."""

from __future__ import annotations

from polyad.ir.expr import Expr, Read
from polyad.ir.program import Program
from polyad.ir.statement import Statement

__all__ = ["plainly_defined", "stored_result"]


def plainly_defined(program: Program) -> frozenset[str]:
    """The arrays to which nothing contributes: their elements are what their definitions say."""
    return frozenset(program.arrays) - {s.array for s in program.statements if s.reduction is not None}


def stored_result(statement: Statement, defined: frozenset[str]) -> Expr | None:
    """The value of the statement's body as a read of what it defined, where the element is that value.

    Args:
        statement: any statement, lifted or not; its write goes to the primal array.
        defined: the arrays that are `plainly_defined`.
    """
    if statement.reduction is not None or statement.array not in defined:
        return None
    return Read(statement.array, statement.write, statement.body.dtype)
