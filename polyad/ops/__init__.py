"""Scalar operators and reductions: tables of values, derivatives and C spellings."""

from polyad.ops import (
    arithmetic,
    bits,
    comparison,
    conversion,
    elementary,
    hyperbolic,
    logical,
    rounding,
    trigonometric,
)
from polyad.ops.comparison import attains
from polyad.ops.reductions import REDUCTION_OPS, ReductionOp, identity
from polyad.ops.registry import OPS, ScalarOp, apply, cast, const, promote, select
from polyad.ops.stated import stated

__all__ = [
    "OPS",
    "REDUCTION_OPS",
    "ReductionOp",
    "ScalarOp",
    "apply",
    "attains",
    "cast",
    "const",
    "identity",
    "promote",
    "select",
    "stated",
]

ENTRIES = (arithmetic, elementary, trigonometric, hyperbolic, rounding, comparison, logical, bits, conversion)
"""The files of the table; importing one registers its operators."""
