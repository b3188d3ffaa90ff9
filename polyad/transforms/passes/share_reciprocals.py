"""Quotients by a number whose reciprocal is taken anyway become products with it.

    1 / s[t] * g + (-(y[t] / s[t])) * g   ->   1 / s[t] * g + (-(y[t] * (1 / s[t]))) * g

A division takes as long as eight multiplications, and derivatives divide by the same number again and again.

What must hold: no number becomes infinite or NaN that was none.
"""

from __future__ import annotations

from collections.abc import Iterator

from polyad.ir.expr import Apply, Const, Expr, render
from polyad.ir.program import Program
from polyad.ir.statement import Statement
from polyad.ops.registry import apply
from polyad.transforms.rewrite.fold import rebuild, rebuild_statement

__all__ = ["share_reciprocals"]

_SPREADING = ("add", "sub", "neg", "mul")
"""Operations whose result is no number where an operand is none."""


def share_reciprocals(program: Program) -> Program:
    """Divide once by each divisor of a statement, where that makes no number infinite.

    Makes smaller: the number of divisions. A product with the reciprocal is within 1.5 ulp of the quotient unless the
    reciprocal is infinite, as it is for denormal divisors. So only reciprocals count whose infinity reaches the result
    either way: through sums, differences and products.

    Args:
        program: any program.
    """
    statements = [_shared(s) for s in program.statements]
    if all(new is old for new, old in zip(statements, program.statements, strict=True)):
        return program
    return program.with_statements(statements)


def _shared(statement: Statement) -> Statement:
    found: dict[str, Expr] = {}
    for reciprocal, divisor in _reciprocals(statement.body):
        found.setdefault(render(divisor, statement.dims), reciprocal)
    if not found:
        return statement

    def visit(expr: Expr) -> Expr | None:
        match expr:
            case Apply("div", (numerator, divisor), _):
                reciprocal = found.get(render(divisor, statement.dims), expr)
                return None if reciprocal is expr else apply("mul", rebuild(numerator, visit), reciprocal)
            case _:
                return None

    return rebuild_statement(statement, visit)


def _reciprocals(expr: Expr) -> Iterator[tuple[Expr, Expr]]:
    """(1 / d, d) for those that stand in sums and products only."""
    match expr:
        case Apply("div", (Const(value), divisor), _) if value == 1:
            yield expr, divisor
        case Apply(op, args, _) if op in _SPREADING:
            for arg in args:
                yield from _reciprocals(arg)
