"""Integers and truth values that are affine in their indices, such as the counter of a loop: readers see the equation.

    i[t] = t + 1;   y[t] = x[i[t]]      is      y[t] = x[t + 1]

So subscripts by them are affine, conditions on them cut domains, and no derivative becomes a scatter.
"""

from __future__ import annotations

from collections.abc import Sequence

import islpy as isl

from polyad import islx
from polyad.ir.align import align_statement
from polyad.ir.expr import Expr, Indirect, pullback
from polyad.ir.statement import Statement
from polyad.transforms.rewrite.affine_conditions import condition_set
from polyad.transforms.rewrite.affine_value import affine_value

__all__ = ["exact_statement", "exact_value"]


def exact_statement(statement: Statement) -> Statement | None:
    """The statement where its value is affine, else None.

    Args:
        statement: the only one of its array, which it writes at its own instances: { S[i] -> a[i] }.
    """
    if statement.reduction is not None or isinstance(statement.write, Indirect):
        return None
    kind, space = statement.body.dtype, statement.space()
    if kind == "bool":
        return statement if condition_set(statement.body, space) is not None else None
    return statement if kind.startswith("int") and affine_value(statement.body, space) is not None else None


def exact_value(statement: Statement, index: Sequence[isl.Aff], space: isl.Space) -> Expr:
    """The element at an index, by the equation of its array.

    Args:
        statement: as `exact_statement` returns it.
        index: { S[i] -> [value] } per dimension of the array.
        space: { S[i] } of the reader.
    """
    return pullback(align_statement(statement, space.params()).body, islx.multi_aff(space, statement.name, list(index)))
