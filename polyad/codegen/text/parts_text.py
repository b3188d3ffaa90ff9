"""Loops in parts (partial_sums.py) in C."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Protocol

from polyad.codegen.loops.how import How, Work
from polyad.codegen.loops.loop_values import add as plus
from polyad.codegen.loops.nodes import Block, Loop, Parts, Sum
from polyad.codegen.names import Spelling
from polyad.codegen.text.code import Code, code, conditional, infix, word
from polyad.codegen.text.expression_text import SUFFIXES, constant_code
from polyad.codegen.text.integer_text import ONE, ZERO, value_code
from polyad.codegen.text.line_text import Lines
from polyad.codegen.text.statement_text import StatementText
from polyad.ir.affine import Affine
from polyad.ops import REDUCTION_OPS, identity

__all__ = ["Printer", "parts_lines"]

_PARTS = "PA_PARTS"


class Printer(Protocol):
    """What prints the nodes inside (loop_text.py)."""

    @property
    def statements(self) -> StatementText:
        """Spells instances."""

    @property
    def spell(self) -> Spelling:
        """The C names of sizes and iterators."""

    @property
    def block_steps(self) -> int:
        """Steps that PA_SCAN_STEPS stands for."""

    def block(self, block: Block) -> Lines:
        """The nodes of a block."""

    def pragma(self, how: How) -> Lines:
        """The lines above a loop."""

    def work(self, work: Work) -> Code:
        """The condition that work is enough."""

    def comment(self, name: str) -> list[str]:
        """The equation of a statement, the first time."""

    def ctype(self, array: str) -> str:
        """The C type of an array's elements."""


def parts_lines(node: Parts, printer: Printer) -> Lines:
    """The block of a loop in parts."""
    (part, count, some), k, sums = node.names, node.loop.iterator, node.sums
    head = code("for (int64_t {0} = 0; {0} < {1}; {0} += 1) {{", part, count)
    dtypes = {s.array: printer.statements.text.arrays[s.array].dtype for s in sums}
    low, high = (_bound(node, p, printer.spell) for p in (word(part), code("({} + 1)", part)))
    one: Lines = [
        *(code("{} {} = {};", printer.ctype(s.array), s.part, _identity(s, dtypes[s.array])) for s in sums),
        *printer.pragma(node.loop.how),
        code("for (int64_t {0} = {1}; {0} < {2}; {0} += 1) {{", k, low, high),
        printer.block(node.loop.body),
        "}",
        *(f"{s.parts}[{part}] = {s.part};" for s in sums),
    ]
    inside: Lines = [
        code("const int64_t {} = {};", count, conditional(printer.work(node.work), word(_PARTS), ONE)),
        code("const int64_t {} = {};", some, _trips(node.loop, printer.spell)),
        *(f"{printer.ctype(s.array)} {s.parts}[{_PARTS}];" for s in sums),
        *([f"PA_PARALLEL_FOR_IF({count} > 1)"] if node.threads else []),
        head,
        one,
        "}",
        head,
        _updates(sums, part, dtypes),
        "}",
    ]
    return ["{", inside, "}"]


def _bound(node: Parts, part: Code, spell: Spelling) -> Code:
    """Where a part begins: first + trips * part / parts."""
    _, count, some = node.names
    first, done = value_code(node.loop.first, spell), infix("/", infix("*", word(some), part), word(count))
    return done if first == ZERO else infix("+", first, done)


def _updates(sums: Sequence[Sum], part: str, dtypes: dict[str, str]) -> Lines:
    """Take the parts into the sums."""
    return [
        code(REDUCTION_OPS[s.reduction].c + ";", acc=s.local, x=f"{s.parts}[{part}]", f=SUFFIXES[dtypes[s.array]])
        for s in sums
    ]


def _identity(total: Sum, dtype: str) -> Code:
    """What a part begins with."""
    return constant_code(identity(total.reduction, dtype), dtype)


def _trips(loop: Loop, spell: Spelling) -> Code:
    """How many iterations the loop has."""
    if isinstance(loop.first, Affine):
        return value_code(plus(loop.last, 1 - loop.first), spell)
    return code("{} - ({})", value_code(plus(loop.last, Affine.of(1)), spell), value_code(loop.first, spell))
