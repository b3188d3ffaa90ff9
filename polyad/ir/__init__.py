"""Representation: programs, arrays, statements and scalar expressions (docs/architecture.md)."""

from polyad.ir.affine import Affine, FloorDiv
from polyad.ir.array import DTYPES, Array
from polyad.ir.expr import Access, Apply, Const, Expr, Index, Indirect, Read, Select
from polyad.ir.program import Program
from polyad.ir.scan import Scan
from polyad.ir.statement import REDUCTIONS, Reduction, Statement

__all__ = [
    "DTYPES",
    "REDUCTIONS",
    "Access",
    "Affine",
    "Apply",
    "Array",
    "Const",
    "Expr",
    "FloorDiv",
    "Index",
    "Indirect",
    "Program",
    "Read",
    "Reduction",
    "Scan",
    "Select",
    "Statement",
]
