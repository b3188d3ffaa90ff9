"""Functions that a loop nest calls, as pet puts them in place of their calls: `inline`, with one `return` at the end.

static double leaky(double v)                  static inline double leaky(double v)
{ if (v > 0) return v; return 0.1 * v; }       { return (v > 0) ? (double)(v) : (double)(0.1 * v); }
"""

from __future__ import annotations

import re

from pycparser import c_ast, c_generator

from polyad.pet.c_text.definitions import CDefinition, CText, ScopRegion, without_comments
from polyad.pet.c_text.edits import Edit, edited, line_starts, matching
from polyad.pet.c_text.parse import SyntaxProblem, parse_definition, walk

__all__ = ["inline_helpers"]


def inline_helpers(source: str, text: CText, definition: CDefinition, region: ScopRegion) -> str:
    """The text with `inline` before the functions of the file that a function calls.

    What stands before its loop nest may become a part of it.
    """
    called: dict[str, c_ast.FuncDef] = {}
    _collect(text, parse_definition(text, definition), called, {definition.name})
    edits: list[Edit] = []
    plain, starts = without_comments(source), line_starts(source)
    for name, tree in called.items():
        helper = text.functions[name]
        start = starts[helper.first]
        start += len(plain[start:]) - len(plain[start:].lstrip(" \t"))
        if "inline" not in tree.decl.funcspec and re.match(r"[A-Za-z_]", plain[start:]):
            edits.append((start, start, "inline "))
        edits += _with_one_return(tree, plain, start, starts[min(helper.last + 1, len(starts) - 1)])
    return edited(source, edits)


def _collect(text: CText, tree: c_ast.Node, found: dict[str, c_ast.FuncDef], path: set[str]) -> None:
    """The functions of the file that are called, and those that they call; one that calls itself is left alone."""
    for node, _ in walk(tree):
        if not isinstance(node, c_ast.FuncCall) or not isinstance(node.name, c_ast.ID):
            continue
        definition = text.functions.get(node.name.name)
        if definition is None or definition.file != text.path or definition.name in {*path, *found}:
            continue
        try:
            body = parse_definition(text, definition)
        except SyntaxProblem:
            continue
        _collect(text, body, found, {*path, definition.name})
        found[definition.name] = body


def _with_one_return(tree: c_ast.FuncDef, plain: str, start: int, end: int) -> list[Edit]:
    """The body with one `return`, where conditions lead to several and nothing is assigned on the way."""
    statements = tree.body.block_items or []
    returns = [n for n, _ in walk(tree.body) if isinstance(n, c_ast.Return)]
    if len(returns) < 2 and not (returns and not isinstance(statements[-1], c_ast.Return)):
        return []
    first = next((i for i, s in enumerate(statements) if isinstance(s, c_ast.If)), len(statements))
    kind = c_generator.CGenerator().visit(tree.decl.type.type)
    kind = re.sub(rf"\b(?:{tree.decl.name}|static|inline|const)\b", "", kind).strip()
    value = _value(statements[first:], kind)
    opening = plain.find("{", start, end)
    closing = matching(plain, opening) if opening >= 0 else -1
    if (
        value is None
        or closing < 0
        or not all(isinstance(s, c_ast.Decl | c_ast.Assignment) for s in statements[:first])
    ):
        return []
    written = c_generator.CGenerator()
    before = " ".join(" ".join(written.visit(s).split()) + ";" for s in statements[:first])
    return [(opening + 1, closing, f" {before} return {value}; ")]


def _value(statements: list[c_ast.Node], kind: str) -> str | None:
    """Return the value of statements as one expression; None where they do more."""
    if not statements:
        return None
    head, *rest = statements
    written = c_generator.CGenerator()
    match head:
        case c_ast.Return(expr=expr) if expr is not None:
            return f"({kind})({' '.join(written.visit(expr).split())})"
        case c_ast.Compound(block_items=items):
            return _value([*(items or []), *rest], kind)
        case c_ast.If(cond=cond, iftrue=then, iffalse=other):
            a = _value([then], kind)
            b = _value([*([] if other is None else [other]), *rest], kind)
            return (
                f"(({' '.join(written.visit(cond).split())}) ? {a} : {b})" if a is not None and b is not None else None
            )
        case _:
            return None
