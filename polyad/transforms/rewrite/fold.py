"""Rebuilding expressions through the table of operators, which folds what is constant or absent."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace

from polyad import islx
from polyad.ir.expr import Access, Apply, Const, Expr, Index, Indirect, Read, Select
from polyad.ir.statement import Statement
from polyad.ops.registry import apply, cast, const, select
from polyad.transforms.rewrite.affine_value import affine_value

__all__ = ["Visitor", "fold_statement", "rebuild", "rebuild_statement", "replacing"]

Visitor = Callable[[Expr], Expr | None]
"""Sees a node before its children: the expression to put in its place, or None to go into it."""


def replacing(*pairs: tuple[Expr, Expr]) -> Visitor:
    """The visitor that puts new nodes in place of old ones, (old, new) each; nodes are told apart by identity."""
    new = {id(old): replacement for old, replacement in pairs}
    return lambda expr: new.get(id(expr))


def rebuild(expr: Expr, visit: Visitor = lambda expr: None) -> Expr:
    """Replace sub-expressions, and fold bottom-up what stands around them.

    Without `visit` this is folding alone. Nodes that do not change are kept, not copied.
    """
    if (new := visit(expr)) is not None:
        return new
    match expr:
        case Apply("cast", (arg,), dtype):
            inner = rebuild(arg, visit)
            return expr if inner is arg and not isinstance(inner, Const) else cast(inner, dtype)
        case Apply(op, args, _):
            return _kept(expr, _integer(apply(op, *(rebuild(a, visit) for a in args))))
        case Select(cond, a, b, _):
            return _kept(expr, select(rebuild(cond, visit), rebuild(a, visit), rebuild(b, visit)))
        case Index(value) if value.is_cst():
            return const(int(value.get_constant_val().to_python()), "int64")
        case Read(array, Indirect() as access, dtype):
            new_access = _rebuild_access(access, array, visit)
            return expr if new_access is access else Read(array, new_access, dtype)
        case _:
            return expr


def _kept(old: Apply | Select, new: Expr) -> Expr:
    """The old node when the new one is the same operation on the same nodes."""
    match old, new:
        case Apply(op, args, dtype), Apply(new_op, new_args, new_dtype):
            same = op == new_op and dtype == new_dtype and len(args) == len(new_args)
            return old if same and all(a is b for a, b in zip(args, new_args, strict=True)) else new
        case Select(cond, a, b, _), Select(new_cond, new_a, new_b, _):
            return old if cond is new_cond and a is new_a and b is new_b else new
        case _:
            return new


def _integer(expr: Expr) -> Expr:
    """Integer arithmetic on instance and sizes is an Index again: index(t) + 1 is index(t + 1)."""
    if isinstance(expr, Apply) and expr.dtype == "int64":
        spaces = [a.value.get_domain_space() for a in expr.args if isinstance(a, Index)]
        if spaces and all(isinstance(a, Index | Const) for a in expr.args):
            value = affine_value(expr, spaces[0])
            if value is not None:
                return rebuild(Index(value))
    return expr


def _rebuild_access(access: Indirect, array: str, visit: Visitor) -> Access:
    """The access with its index expressions rebuilt; an affine access once no index depends on data any more."""
    index = tuple(rebuild(i, visit) for i in access.index)
    if all(isinstance(i, Index | Const) for i in index):
        space = access.may.get_space().domain()
        affs = [aff for i in index if (aff := affine_value(i, space)) is not None]
        if len(affs) == len(index):
            return islx.multi_aff(space, array, affs)
    if all(new is old for new, old in zip(index, access.index, strict=True)):
        return access
    return replace(access, index=index)


def rebuild_statement(statement: Statement, visit: Visitor) -> Statement:
    """`rebuild` for the body and for the index expressions of a scatter."""
    body, write = rebuild(statement.body, visit), statement.write
    if isinstance(write, Indirect):
        write = _rebuild_access(write, statement.array, visit)
    if body is statement.body and write is statement.write:
        return statement
    # Folding may leave a constant of another type, the array's own type is what is stored.
    return replace(statement, body=cast(body, statement.body.dtype), write=write)


def fold_statement(statement: Statement) -> Statement:
    """The statement with its expressions folded."""
    return rebuild_statement(statement, lambda expr: None)
