"""A proof that the C of a kernel is what its plan asks for, statement by statement.

The C is read (c_parser.py), the plan is put into trees of C once more (expected_*.py, which know nothing of the
printer), and both are reduced to what they mean (meaning.py): loops by their first and last iterations, integers as
polynomials, so that the position of an element in memory is right however it is written, and values as trees of
operators, elements, constants, calls and conversions. Whatever differs is named with its line.

Trusted are the runtime header, whose functions and macros are known by their names, and the C compiler.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from polyad.codegen.certify.read_back.c_names import names_of
from polyad.codegen.certify.read_back.c_parser import parse_unit
from polyad.codegen.certify.read_back.c_tokens import NotReadError
from polyad.codegen.certify.read_back.c_tree import Cast, Declare, Expr, Function, Member, Name, Statement, Text, Unit
from polyad.codegen.certify.read_back.expected_functions import Functions
from polyad.codegen.certify.read_back.expected_values import SUFFIXES, TYPES
from polyad.codegen.certify.read_back.meaning import Meaning, Said
from polyad.codegen.certify.read_back.routines import without_routines
from polyad.codegen.loops.nodes import Contraction
from polyad.codegen.loops.traversal import instances, nodes
from polyad.codegen.plan import Plan
from polyad.errors import CertificationError
from polyad.ir.expr import Apply, walk
from polyad.ops import OPS

__all__ = ["TextProof", "compare_functions", "read_back"]


@dataclass(frozen=True, slots=True)
class TextProof:
    """That the C says what the loops do.

    Attributes:
        lines: of the C.
        statements: that were compared.
        language: what it is.
    """

    lines: int
    statements: int
    language: str = "C"

    def __str__(self) -> str:
        return f"the {self.language} is that of its loops: {self.statements} statements in {self.lines} lines"


def read_back(plan: Plan, c: str) -> TextProof:
    """Prove it.

    Args:
        plan: the kernel.
        c: the text that the C compiler reads.

    Raises:
        CertificationError: it says something else; the message names the line.
    """
    try:
        return TextProof(c.count("\n"), _compared(plan, c))
    except NotReadError as problem:
        line = c.splitlines()[problem.line - 1].strip() if 0 < problem.line <= c.count("\n") + 1 else ""
        where = f"line {problem.line} of the C, `{line}`"
        raise CertificationError(f"{plan.program.name}: {where}: {problem}") from None


def _compared(plan: Plan, c: str) -> int:
    unit = parse_unit(c)
    defined = [f for f in unit.functions if f.body is not None]
    functions = Functions(plan, {f.name: _sizes_read(f.body or (), plan) for f in defined})
    _head(plan, unit, functions)
    wanted = [*functions.all()]
    unit = without_routines(unit, functions.name, wanted[-1].body or ())
    if [f.name for f in unit.functions] != [f.name for f in wanted]:
        raise NotReadError(f"its functions are not {', '.join(dict.fromkeys(f.name for f in wanted))}", 1)
    return sum(compare_functions(found, asked, plan) for found, asked in zip(unit.functions, wanted, strict=True))


def _sizes_read(body: Sequence[Statement], plan: Plan) -> frozenset[str]:
    """The sizes that a function declares."""
    return frozenset(
        s.name
        for s in body
        if isinstance(s, Declare) and _member(s.value) == s.name and s.name in plan.names.params.values()
    )


def _member(value: Expr | None) -> str:
    """The size that a variable is given."""
    match value:
        case Member(Name("sizes"), name) | Cast(_, Member(Name("sizes"), name)):
            return name
        case _:
            return ""


def _head(plan: Plan, unit: Unit, functions: Functions) -> None:
    """Check the text before and between the functions."""
    if unit.structs != (functions.struct(),):
        raise NotReadError(f"the struct of sizes is not {functions.struct()[1]}", 1)
    contracted = {n.shape.dtype for n in nodes(plan.loops) if isinstance(n, Contraction) and n.shape is not None}
    once = {
        (node.op, node.args[0].dtype)
        for i in instances(plan.loops)
        if i.once
        for node in walk(plan.known.statements[i.statement].body)
        if isinstance(node, Apply) and OPS[node.op].once
    }
    needed = ['#include "polyad_runtime.h"']
    needed += [f"#define PA_CONTRACTION_{SUFFIXES[d].upper()}" for d in ("float32", "float64") if d in contracted]
    needed += ['#include "polyad_contraction.h"'] if contracted else []
    for op, dtype in sorted(once, key=lambda f: (f[0], SUFFIXES[f[1]])):
        name = f"PA_HAS_ONCE_{op}_{SUFFIXES[dtype]}".upper()
        needed += [f"#ifndef {name}", f"#define {name}", "#endif"]
    found = [(text, line) for text, line in unit.directives if not _NAMES.fullmatch(text)]
    # The first and the last are the guard of the declarations and its end, the second the end of the codes.
    for text, line in found:
        if text not in needed and text not in _CODES and not _GUARD.fullmatch(text):
            raise NotReadError(f"the kernel needs no {text!r}", line)
    texts = [text for text, _ in found]
    missing = [text for text in (*needed, *_CODES) if texts.count(text) < 1]
    if missing:
        raise NotReadError(f"{missing[0]!r} is missing", 1)
    macros = {(m.name, m.arguments) for m in unit.macros}
    defined = {("PA_ONCE", (Text(f"{op} , {TYPES[d]} , {SUFFIXES[d]}"),)) for op, d in once}
    if macros != defined:
        raise NotReadError(
            "the functions that are compiled once are not those that are called",
            unit.macros[0].line if unit.macros else 1,
        )


_CODES = (
    "#ifndef POLYAD_OK",
    "#define POLYAD_OK 0",
    "#define POLYAD_ERROR_NULL (-1)",
    "#define POLYAD_ERROR_WORKSPACE (-2)",
    "#define POLYAD_ERROR_SIZE (-3)",
    "#define POLYAD_ERROR_INDEX (-4)",
    "#endif",
)
_NAMES = re.compile(r"#define \w+_POLYAD_(VERSION \"[^\"]*\"|ABI \d+)")
_GUARD = re.compile(r"#(ifndef|define) \w+_H")


def compare_functions(found: Function, asked: Function, plan: Plan) -> int:
    """Compare two functions; the number of statements."""
    for part in ("type", "parameters"):
        if getattr(found, part) != getattr(asked, part):
            raise NotReadError(f"{found.name} is declared in another way: {getattr(asked, part)}", found.line)
    if found.body is None or asked.body is None:
        if (found.body is None) != (asked.body is None):
            raise NotReadError(f"{found.name} is declared twice, or not at all", found.line)
        return 0
    typed = {name: kind for kind, name in asked.parameters}
    spell = plan.names.value
    nonnegative = frozenset(spell(n) for n in spell.nonnegative)
    said = Meaning(names_of(typed), nonnegative).statements(found.body, 0)
    meant = Meaning(names_of(typed), nonnegative).statements(asked.body, 0)
    return _same(said, meant, found.line)


def _same(said: Sequence[Said], meant: Sequence[Said], line: int) -> int:
    """Compare statements with what they are to be."""
    count = 0
    for one, other in zip(said, meant, strict=False):
        if one.head != other.head:
            raise NotReadError(f"the loops ask for another one here{_hint(one.head, other.head)}", one.line)
        count += 1
        for a, b in zip(one.bodies, other.bodies, strict=True):
            count += _same(a, b, one.line)
    if len(said) != len(meant):
        if len(said) > len(meant):
            raise NotReadError("the loops ask for no such statement", said[len(meant)].line)
        raise NotReadError(
            f"a statement is missing behind it: {_words(meant[len(said)].head)}", said[-1].line if said else line
        )
    return count


def _hint(found: Iterable[object], meant: Iterable[object]) -> str:
    """The first part that differs."""
    for a, b in zip(found, meant, strict=False):
        if a != b:
            return f": {_words(b)}, not {_words(a)}"
    return ""


def _words(term: object) -> str:
    """A term in a few words."""
    match term:
        case ("poly", terms):
            found = [" * ".join([*([str(c)] if c != 1 or not m else []), *map(_words, m)]) for m, c in terms]  # type: ignore[attr-defined]
            return " + ".join(sorted(found)) or "0"
        case ("v", name):
            return str(name)
        case ("number", _, digits):
            return repr(float.fromhex(str(digits)))
        case ("element", array, index):
            return f"{_words(array)}[{_words(index)}]"
        case tuple() | frozenset():
            return f"({' '.join(map(_words, term))})"
        case _:
            return str(term)
