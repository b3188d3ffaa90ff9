"""The cost of evaluating an expression once, in additions, by the table of operators and the machine."""

from __future__ import annotations

from polyad.ir.expr import Apply, Const, Expr, Index, Select, walk
from polyad.machine import MACHINE, Machine
from polyad.ops import OPS

__all__ = ["cost"]


def cost(expr: Expr, machine: Machine = MACHINE) -> int:
    """The cost of all operators in an expression; numbers, indices and reads are free."""
    total = 0
    for node in walk(expr):
        match node:
            case Apply("cast", (Index() | Const(),), _):
                pass
            case Apply(op, args, _):
                total += OPS[op].cost_of(args, machine)
            case Select():
                total += 1
            case _:
                pass
    return total
