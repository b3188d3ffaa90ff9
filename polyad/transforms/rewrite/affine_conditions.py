"""Affine conditions cut domains: `select(i < n, f, g)` is f on one part of the domain and g on the rest."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace

import islpy as isl

from polyad import islx
from polyad.ir.expr import Apply, Const, Expr, Indirect, children
from polyad.ir.names import unique_name
from polyad.ir.statement import Statement
from polyad.ops.registry import const
from polyad.transforms.rewrite.affine_value import affine_value
from polyad.transforms.rewrite.fold import rebuild_statement, replacing
from polyad.transforms.rewrite.rename import rename_statement

__all__ = ["condition_set", "split_affine_selects"]

_COMPARISONS = {"lt": "lt_set", "le": "le_set", "gt": "gt_set", "ge": "ge_set", "eq": "eq_set", "ne": "ne_set"}


def condition_set(expr: Expr, space: isl.Space) -> isl.Set | None:
    """The instances where a truth value holds, or None where that depends on data.

    Args:
        expr: an expression of dtype bool: comparisons of quasi-affine values, and their `and`, `or`, `not`.
        space: { S[i] } with all parameters.

    Returns:
        { S[i] : expr }.
    """
    match expr:
        case Const(value, "bool"):
            return isl.Set.universe(space) if value else isl.Set.empty(space)
        case Apply(op, (a, b), _) if op in _COMPARISONS:
            left, right = affine_value(a, space), affine_value(b, space)
            if left is None or right is None:
                return None
            holds: isl.Set = getattr(left, _COMPARISONS[op])(right)
            return holds
        case Apply("and" | "or" as op, (a, b), _):
            first = condition_set(a, space)
            second = condition_set(b, space) if first is not None else None
            if first is None or second is None:
                return None
            return first.intersect(second) if op == "and" else first.union(second).coalesce()
        case Apply("not", (a,), _):
            inner = condition_set(a, space)
            return inner.complement() if inner is not None else None
        case _:
            return None


def split_affine_selects(
    statement: Statement, taken: Iterable[str] = (), context: isl.Set | None = None
) -> list[Statement]:
    """Cut a statement at its affine conditions.

    Every affine truth value in the body is decided on each of the pieces, whether a select asks for it or a cast to a
    number does. Pieces without instances are left out.

    Args:
        statement: any statement; its select conditions may be affine.
        taken: statement names the pieces must not take.
        context: [params] -> { : ... }, what is assumed of the sizes.

    Returns:
        Statements with disjoint domains, whose union is the old one: `S`, `S_1`, ...; the statement itself, unchanged,
        when it has no affine condition.
    """
    used = {*taken, statement.name}
    result: list[Statement] = []
    for piece in _pieces(statement, context):
        name = unique_name(statement.name, used) if result else statement.name
        used.add(name)
        result.append(rename_statement(piece, name))
    return result


def _pieces(statement: Statement, context: isl.Set | None) -> list[Statement]:
    found = _first_condition(statement)
    if found is None:
        return [statement]
    condition, holds = found
    result = []
    for outcome, domain in (
        (True, statement.domain.intersect(holds)),
        (False, statement.domain.subtract(holds).coalesce()),
    ):
        if context is not None:
            # What the context implies need not be said, and a piece that it excludes is empty.
            domain = domain.intersect_params(context).gist_params(context)
        domain = domain.remove_redundancies()
        if domain.is_empty():
            continue
        piece = rebuild_statement(statement, replacing((condition, const(outcome, "bool"))))
        result += _pieces(replace(piece, domain=islx.name_dims(domain, statement.dims)), context)
    return result


def _first_condition(statement: Statement) -> tuple[Expr, isl.Set] | None:
    roots = [statement.body]
    if isinstance(statement.write, Indirect):
        roots += statement.write.index
    for root in roots:
        if (found := _outermost_condition(root, statement)) is not None:
            return found
    return None


def _outermost_condition(expr: Expr, statement: Statement) -> tuple[Expr, isl.Set] | None:
    """The first affine truth value of an expression and where it holds."""
    if expr.dtype == "bool" and not isinstance(expr, Const):
        holds = condition_set(expr, statement.space())
        if holds is not None:
            return expr, holds
    for child in children(expr):
        if (found := _outermost_condition(child, statement)) is not None:
            return found
    return None
