"""Integers and truth values that are affine in their indices, such as the counter of a loop: readers see the equation.

    i[t] = t + 1;   y[t] = x[i[t]]      is      y[t] = x[t + 1]

So subscripts by them are affine, conditions on them cut domains, and no derivative becomes a scatter.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from contextlib import suppress
from dataclasses import replace

import islpy as isl

from polyad import islx
from polyad.frontend.definition import Definition
from polyad.frontend.scope import Scope
from polyad.ir.affine import Affine
from polyad.ir.align import align_statement
from polyad.ir.expr import Expr, Index, Indirect, Read, map_expr, pullback
from polyad.ir.statement import Statement
from polyad.transforms.rewrite.affine_conditions import condition_set
from polyad.transforms.rewrite.affine_value import affine_value

__all__ = ["exact_index", "exact_statement", "exact_value"]


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


def exact_index(index: Expr, extent: Affine, reader: Scope, definitions: Iterable[Definition]) -> isl.Aff | None:
    """An index by elements of integer arrays whose equations are affine: x[i[t, w]] with i[t, w] = t + w is x[t + w].

    Args:
        index: an integer that is not affine as it stands.
        extent: that of the dimension.
        reader: where it is read.
        definitions: those that the reader reads.

    Returns:
        { S[i] -> [value] }, None where the index depends on data, or is not known to be inside.
    """
    try:
        found = affine_value(_settled(index, definitions, {}), reader.space)
    except _OfDataError:
        return None
    if found is None:
        return None
    first, behind = (e.to_aff(reader.space, reader.where) for e in (Affine.of(0), extent))
    return found if reader.domain.is_subset(found.ge_set(first).intersect(found.lt_set(behind))) else None


class _OfDataError(Exception):
    """An element has no affine equation."""


def _settled(value: Expr, definitions: Iterable[Definition], known: dict[str, Statement | None]) -> Expr:
    """The value with the affine equations of its elements in their places.

    Args:
        value: of a statement that reads these definitions.
        definitions: those.
        known: array -> its affine equation, None where there is none; more are added.

    Raises:
        _OfDataError: an element has none.
    """
    owners = {name: d for d in definitions for name in d.arrays}

    def leaf(node: Expr) -> Expr:
        if not isinstance(node, Read):
            return node
        found = None
        if node.array in owners and not isinstance(node.access, Indirect):
            found = _equation(node.array, owners[node.array], known)
        if found is None or isinstance(node.access, Indirect):
            raise _OfDataError
        aligned = align_statement(found, node.access.get_space().params())
        return pullback(aligned.body, node.access.set_tuple_name(isl.dim_type.out, aligned.name))

    return map_expr(value, leaf)


def _equation(array: str, owner: Definition, known: dict[str, Statement | None]) -> Statement | None:
    """The one equation of all elements of an array, its body affine."""
    if array not in known:
        known[array] = None
        own = [s for s in owner.statements if s.array == array]
        if len(own) == 1 and own[0].reduction is None and not isinstance(own[0].write, Indirect) and not owner.steps:
            with suppress(_OfDataError):
                value = affine_value(_settled(own[0].body, owner.operands, known), own[0].space())
                known[array] = None if value is None else replace(own[0], body=Index(value))
    return known[array]
