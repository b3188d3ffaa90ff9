"""Loops in parts (partial_sums.py) in C."""

from __future__ import annotations

from collections.abc import Sequence

from polyad.codegen.loops.loop_values import add as plus
from polyad.codegen.loops.nodes import Loop, Parts, Sum
from polyad.codegen.names import Spelling
from polyad.codegen.text.expression_text import SUFFIXES, constant_text
from polyad.codegen.text.integer_text import value_text
from polyad.codegen.text.line_text import broken, indented
from polyad.codegen.text.printer import Printer
from polyad.ir.affine import Affine
from polyad.ops import REDUCTION_OPS, identity

__all__ = ["parts_lines"]

_PARTS = "PA_PARTS"


def parts_lines(node: Parts, printer: Printer) -> list[str]:
    """The block of a loop in parts."""
    (part, count, some), k, sums = node.names, node.loop.iterator, node.sums
    first = value_text(node.loop.first, printer.spell)
    start = "" if first == "0" else f"{first} + "
    low, high = (f"{start}{some} * {p} / {count}" for p in (part, f"({part} + 1)"))
    head = f"for (int64_t {part} = 0; {part} < {count}; {part} += 1) {{"
    dtypes = {s.array: printer.statements.text.arrays[s.array].dtype for s in sums}
    one = [
        *(f"{printer.ctype(s.array)} {s.part} = {_identity(s, dtypes[s.array])};" for s in sums),
        *printer.pragma(node.loop.how),
        *broken(f"for (int64_t {k} = {low}; {k} < {high}; {k} += 1) {{"),
        *indented(printer.block(node.loop.body)),
        "}",
        *(f"{s.parts}[{part}] = {s.part};" for s in sums),
    ]
    inside = [
        *broken(f"const int64_t {count} = {printer.work(node.work)} ? {_PARTS} : 1;"),
        *broken(f"const int64_t {some} = {_trips(node.loop, printer.spell)};"),
        *(f"{printer.ctype(s.array)} {s.parts}[{_PARTS}];" for s in sums),
        *([f"PA_PARALLEL_FOR_IF({count} > 1)"] if node.threads else []),
        head,
        *indented(one),
        "}",
        head,
        *indented(_updates(sums, part, dtypes)),
        "}",
    ]
    return ["{", *indented(inside), "}"]


def _updates(sums: Sequence[Sum], part: str, dtypes: dict[str, str]) -> list[str]:
    """Take the parts into the sums."""
    return [
        REDUCTION_OPS[s.reduction].c.format(acc=s.local, x=f"{s.parts}[{part}]", f=SUFFIXES[dtypes[s.array]]) + ";"
        for s in sums
    ]


def _identity(total: Sum, dtype: str) -> str:
    """What a part begins with."""
    return constant_text(identity(total.reduction, dtype), dtype)


def _trips(loop: Loop, spell: Spelling) -> str:
    """How many iterations the loop has."""
    if isinstance(loop.first, Affine):
        return value_text(plus(loop.last, 1 - loop.first), spell)
    return f"{value_text(plus(loop.last, Affine.of(1)), spell)} - ({value_text(loop.first, spell)})"
