"""The logistic function, where it is spelled out: 1 / (1 + exp(-x)) and exp(x) / (1 + exp(x)) are sigmoid(x).

Its derivative is y (1 - y), of a value y that is there anyway. Differentiated as it is spelled, it takes two more
exponentials and two quotients, and gives infinity times 0 where exp overflows. Bits of the value itself may differ, so
this is for programs that are differentiated, not for those that have to give the numbers of a C text.
"""

from __future__ import annotations

from dataclasses import replace

import islpy as isl

from polyad.ir.expr import Apply, Const, Expr, Read, walk
from polyad.ir.program import Program
from polyad.ops import apply
from polyad.transforms.rewrite.fold import rebuild

__all__ = ["with_logistic"]


def with_logistic(program: Program) -> Program:
    """The program with sigmoid in place of its spellings; the very program where there is none."""
    found = False
    statements = []
    for s in program.statements:
        if any(_argument(e) is not None for e in walk(s.body)):
            found = True
            s = replace(s, body=rebuild(s.body, _sigmoid))
        statements.append(s)
    return replace(program, statements=tuple(statements)) if found else program


def _sigmoid(expr: Expr) -> Expr | None:
    argument = _argument(expr)
    return None if argument is None else apply("sigmoid", rebuild(argument, _sigmoid))


def _argument(expr: Expr) -> Expr | None:
    """x, of an expression that spells sigmoid(x)."""
    match expr:
        case Apply("div", (above, Apply("add", (a, b), _)), _):
            for one, exponential in ((a, b), (b, a)):
                if not _is_one(one) or not isinstance(exponential, Apply) or exponential.op != "exp":
                    continue
                (argument,) = exponential.args
                if _is_one(above):
                    return _negated(argument)
                if isinstance(above, Apply) and above.op == "exp" and _same(above.args[0], argument):
                    return argument
    return None


def _is_one(expr: Expr) -> bool:
    return isinstance(expr, Const) and expr.value == 1


def _negated(expr: Expr) -> Expr | None:
    """x, of -x."""
    match expr:
        case Apply("neg", (inner,), _):
            return inner
        case Apply("mul", (Const(-1), inner), _) | Apply("mul", (inner, Const(-1)), _):
            return inner
        case Apply("sub", (Const(0), inner), _):
            return inner
        case _:
            return apply("neg", expr)


def _same(a: Expr, b: Expr) -> bool:
    """Whether two expressions are the same value; false where that is not plain to see."""
    match a, b:
        case Read(array, access), Read(other, there):
            if not isinstance(access, isl.MultiAff) or not isinstance(there, isl.MultiAff):
                return False
            return array == other and bool(access.plain_is_equal(there))
        case Apply(op, args, dtype), Apply(other, there, kind):
            same = op == other and dtype == kind and len(args) == len(there)
            return same and all(_same(x, y) for x, y in zip(args, there, strict=True))
        case Const(value), Const(given):
            return value == given
        case _:
            return False
