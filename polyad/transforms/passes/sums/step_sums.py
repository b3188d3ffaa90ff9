"""Sums in the steps of a recurrence, in as many parts as a block of a GPU has threads for.

    z[t, b, n] += U[k, n] * h[t, b, k]     ->     z_parts[t, b, p, n] += U[32 p + r, n] * h[t, b, 32 p + r], r < 32
                                                  z[t, b, n] += z_parts[t, b, p, n]

A step waits for the one before, and a sum for one term after the other. Parts run beside each other; how many there are
follows from the sizes, and so do the bits.

A contraction, of which one operand does not move along the results, stays as it is: the threads of a block divide its
terms themselves (codegen/cuda/step_products.py).

What must hold: the dimension that is divided is a box with all others; each part has its zero first.
"""

from __future__ import annotations

import islpy as isl

from polyad.ir.expr import Apply, Read
from polyad.ir.program import Program
from polyad.ir.statement import Statement
from polyad.machine.device import DEVICE
from polyad.transforms.rewrite.array_graph import array_components
from polyad.transforms.rewrite.sums.divided_sum import Division, dividable, with_divided_sums

__all__ = ["step_sums"]


def step_sums(program: Program) -> Program:
    """Divide sums of recurrences whose results are fewer than the threads of a block.

    Makes smaller: the terms that a thread adds up before the next step may begin.

    Args:
        program: with explicit identity definitions (transforms.initialise).
    """
    recurrent = {a for c in array_components(program) if c.recurrent for a in c.arrays}

    def divided(s: Statement) -> Division | None:
        steps = s.array in recurrent and any(r.array in recurrent for r in s.reads())
        return _divided(program, s) if steps else None

    return with_divided_sums(program, divided)


def _divided(program: Program, s: Statement) -> Division | None:
    """How a sum is divided, where it pays."""
    found = dividable(program, s)
    if found is None or _is_contraction(s, found.column):
        return None
    parts = min(DEVICE.step_threads // max(found.columns, 1), found.terms // DEVICE.terms)
    return found.in_parts(parts)


def _is_contraction(s: Statement, column: int) -> bool:
    """Whether a sum is one of products, of whose factors one moves along a dimension, and one does not."""
    match s.body:
        case Apply("mul", (Read(access=isl.MultiAff() as one), Read(access=isl.MultiAff() as other))):
            return one.involves_dims(isl.dim_type.in_, column, 1) != other.involves_dims(isl.dim_type.in_, column, 1)
        case _:
            return False
