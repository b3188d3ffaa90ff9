"""Loops in parts (partial_sums.py) in C."""

from __future__ import annotations

from collections.abc import Sequence

from polyad.codegen.loops.contractions import trip_count
from polyad.codegen.loops.nodes import Parts, Sum
from polyad.codegen.names import Spelling
from polyad.codegen.text.code import Code, assign, call, code, conditional, declare, infix, loop_line, subscript, word
from polyad.codegen.text.expression_text import C_TYPES, SUFFIXES, constant_code
from polyad.codegen.text.integer_text import ONE, ZERO, value_code
from polyad.codegen.text.line_text import Lines
from polyad.codegen.text.loop_text import LoopText
from polyad.ir.affine import Affine
from polyad.ops import REDUCTION_OPS, identity

__all__ = ["parts_lines"]

_PARTS = "PA_PARTS"


def parts_lines(node: Parts, printer: LoopText) -> Lines:
    """The block of a loop in parts."""
    (part, count, some), k, sums = node.names, node.loop.iterator, node.sums
    head = loop_line(part, ZERO, "<", count, ONE)
    dtypes = {s.array: s.dtype or printer.statements.text.arrays[s.array].dtype for s in sums}
    ctypes = {a: C_TYPES[dtype] for a, dtype in dtypes.items()}
    starts = [constant_code(identity(s.reduction, dtypes[s.array]), dtypes[s.array]) for s in sums]
    low, high = (_bound(node, p, printer.spell) for p in (word(part), infix("+", word(part), ONE)))
    one: Lines = [
        *(declare(ctypes[s.array], (s.part, x)) for s, x in zip(sums, starts, strict=True)),
        *printer.pragma(node.loop.how),
        loop_line(k, low, "<", high, word(str(node.loop.step)), True, printer.spell.index),
        printer.block(node.loop.body),
        "}",
        *(assign(subscript(s.parts, part), s.part) for s in sums),
    ]
    inside: Lines = [
        declare("const int64_t", (count, conditional(printer.work(node.work), word(_PARTS), ONE))),
        declare("const int64_t", (some, value_code(trip_count(node.loop), printer.spell))),
        *(code("{} {};", ctypes[s.array], subscript(s.parts, _PARTS)) for s in sums),
        *([call("PA_PARALLEL_FOR_IF", infix(">", word(count), ONE))] if node.threads else []),
        head,
        one,
        "}",
        head,
        _updates(sums, part, dtypes),
        "}",
    ]
    return ["{", inside, "}"]


def _bound(node: Parts, part: Code, spell: Spelling) -> Code:
    """Return the first iteration of a part: first + trips * part / parts * step."""
    _, count, some = node.names
    done = infix("/", infix("*", word(some), part), word(count))
    if node.loop.step != 1:
        done = infix("*", done, word(str(node.loop.step)))
    return done if node.loop.first == Affine() else infix("+", value_code(node.loop.first, spell), done)


def _updates(sums: Sequence[Sum], part: str, dtypes: dict[str, str]) -> Lines:
    """Take the parts into the sums."""
    return [
        code(REDUCTION_OPS[s.reduction].c + ";", acc=s.local, x=subscript(s.parts, part), f=SUFFIXES[dtypes[s.array]])
        for s in sums
    ]
