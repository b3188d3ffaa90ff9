"""What evaluating an expression once costs, by the table of operators: 1 an addition, 20 a transcendental function."""

from __future__ import annotations

from polyad.ir.expr import Apply, Const, Expr, Index, Indirect, Read, Select, walk
from polyad.ir.statement import Statement
from polyad.ops import OPS
from polyad.transforms.plain_axes import used_dims

__all__ = ["EXPENSIVE", "cost", "is_contraction", "is_matrix_product"]

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


def is_contraction(statement: Statement) -> bool:
    """Whether a statement sums up products of at least two reads: the form that matrix kernels are made for."""
    return statement.reduction == "sum" and _factors(statement.body) >= 2


def is_matrix_product(statement: Statement) -> bool:
    """Whether a statement sums products of two reads, of which each has dimensions of the result to itself."""
    reads = list(statement.reads())
    accesses = [statement.write, *(r.access for r in reads)]
    if not is_contraction(statement) or len(reads) != 2 or any(isinstance(a, Indirect) for a in accesses):
        return False
    written, first, second = (used_dims(a) for a in accesses)
    return bool(written & first - second) and bool(written & second - first)


def _factors(expr: Expr) -> int:
    """The number of reads in a product; a large negative number when something else stands in it."""
    match expr:
        case Read():
            return 1
        case Const():
            return 0
        case Apply("mul", (a, b), _):
            return _factors(a) + _factors(b)
        case Apply("neg", (a,), _):
            return _factors(a)
        case _:
            return -1000
