"""Truth values combined."""

from __future__ import annotations

import numpy as np

from polyad.ir.expr import Apply, Const, Expr
from polyad.ops.registry import binary, unary

__all__: list[str] = []

_ANY = (-2.0, 2.0)


def _fold_and(args: tuple[Expr, ...]) -> Expr | None:
    for one, other in (args, args[::-1]):
        if isinstance(one, Const):
            return other if one.value else one
    return None


def _fold_or(args: tuple[Expr, ...]) -> Expr | None:
    for one, other in (args, args[::-1]):
        if isinstance(one, Const):
            return one if one.value else other
    return None


def _fold_not(args: tuple[Expr, ...]) -> Expr | None:
    match args[0]:
        case Apply("not", (inner,), _):
            return inner
    return None


binary(
    "and",
    np.logical_and,
    None,
    (_ANY, _ANY),
    c="{0} && {1}",
    kind="logical",
    cost=1,
    fold=_fold_and,
    written="x & y",
    doc="both x and y",
)
binary(
    "or",
    np.logical_or,
    None,
    (_ANY, _ANY),
    c="{0} || {1}",
    kind="logical",
    cost=1,
    fold=_fold_or,
    written="x | y",
    doc="x or y or both",
)
unary("not", np.logical_not, None, _ANY, c="!{0}", kind="logical", cost=1, fold=_fold_not, written="~x", doc="not x")
