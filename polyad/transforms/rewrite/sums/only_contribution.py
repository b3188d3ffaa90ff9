"""Contributions that define their array alone."""

from __future__ import annotations

from dataclasses import replace

from polyad.ir.program import Program
from polyad.ir.statement import Statement
from polyad.transforms.rewrite.inverse_access import is_injective

__all__ = ["as_definition"]


def as_definition(s: Statement, program: Program) -> Statement:
    """A contribution as a definition, where it reaches every element of its array once.

    Args:
        s: the only writer of its array.
        program: gives the array's shape and the sizes.
    """
    if s.reduction is None or not is_injective(s.write, s.domain):
        return s
    every = program.arrays[s.array].domain(program.params).intersect_params(program.context)
    return replace(s, reduction=None) if every.is_subset(s.write_relation().range()) else s
