"""The cost of one instance of a statement."""

from __future__ import annotations

from polyad.ir.expr import Apply
from polyad.ir.statement import Statement
from polyad.machine import Machine
from polyad.ops import OPS

__all__ = ["statement_cost"]


def statement_cost(statement: Statement, machine: Machine) -> int:
    """Scalar operations of one instance, a transcendental function counted as the machine says."""
    operations = sum(OPS[e.op].cost_of(e.args, machine) for e in statement.expressions() if isinstance(e, Apply))
    return operations + (1 if statement.reduction else 0) + 1
