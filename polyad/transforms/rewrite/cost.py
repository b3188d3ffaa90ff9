"""What evaluating an expression once costs, by the table of operators: 1 an addition, 20 a transcendental function."""

from __future__ import annotations

from polyad.ir.expr import Apply, Const, Expr, Index, Select, walk
from polyad.ops import OPS

__all__ = ["EXPENSIVE", "cost"]

EXPENSIVE = 10
"""From this cost on an operator's result is worth storing: exp, tanh, pow, ..., but no arithmetic."""


def cost(expr: Expr) -> int:
    """The cost of all operators in an expression; numbers, indices and reads are free."""
    total = 0
    for node in walk(expr):
        match node:
            case Apply("cast", (Index() | Const(),), _):
                pass
            case Apply(op, _, _):
                total += OPS[op].cost
            case Select():
                total += 1
            case _:
                pass
    return total
